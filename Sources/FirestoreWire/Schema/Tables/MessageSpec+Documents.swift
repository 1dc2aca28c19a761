extension MessageSpec {
  /// The rows of documents and writes.
  static let documents: [MessageSpec] = [
    document, arrayValue, write, documentTransform, fieldTransform, writeResult, documentChange,
    documentDelete, documentRemove, existenceFilter, bloomFilter, bitSequence,
  ]

  private static let document = MessageSpec(
    .document, "google.firestore.v1.Document",
    [
      .text(.documentName, 1, "name"),
      .fields(.documentFields, 2, "fields"),
      .timestamp(.documentCreateTime, 3, "create_time"),
      .timestamp(.documentUpdateTime, 4, "update_time"),
    ])

  private static let arrayValue = MessageSpec(
    .arrayValue, "google.firestore.v1.ArrayValue",
    [
      .values(.arrayValueValues, 1, "values")
    ])

  private static let write = MessageSpec(
    .write, "google.firestore.v1.Write",
    [
      .message(.writeUpdate, 1, "update", of: .document, in: "operation"),
      .optionalText(.writeDelete, 2, "delete", in: "operation"),
      .message(.writeUpdateMask, 3, "update_mask", of: .documentMask),
      .message(.writeCurrentDocument, 4, "current_document", of: .precondition),
      .optionalText(.writeVerify, 5, "verify", in: "operation"),
      .message(.writeTransform, 6, "transform", of: .documentTransform, in: "operation"),
      .messages(.writeUpdateTransforms, 7, "update_transforms", of: .fieldTransform),
    ])

  private static let documentTransform = MessageSpec(
    .documentTransform, "google.firestore.v1.DocumentTransform",
    [
      .text(.documentTransformDocument, 1, "document"),
      .messages(.documentTransformFieldTransforms, 2, "field_transforms", of: .fieldTransform),
    ])

  private static let fieldTransform = MessageSpec(
    .fieldTransform, "google.firestore.v1.DocumentTransform.FieldTransform",
    [
      .text(.fieldTransformFieldPath, 1, "field_path"),
      .optionalEnumeration(
        .fieldTransformSetToServerValue, 2, "set_to_server_value", in: "transform_type"),
      .value(.fieldTransformIncrement, 3, "increment", in: "transform_type"),
      .value(.fieldTransformMaximum, 4, "maximum", in: "transform_type"),
      .value(.fieldTransformMinimum, 5, "minimum", in: "transform_type"),
      .message(
        .fieldTransformAppendMissingElements, 6, "append_missing_elements", of: .arrayValue,
        in: "transform_type"),
      .message(
        .fieldTransformRemoveAllFromArray, 7, "remove_all_from_array", of: .arrayValue,
        in: "transform_type"),
    ])

  private static let writeResult = MessageSpec(
    .writeResult, "google.firestore.v1.WriteResult",
    [
      .timestamp(.writeResultUpdateTime, 1, "update_time"),
      .values(.writeResultTransformResults, 2, "transform_results"),
    ])

  private static let documentChange = MessageSpec(
    .documentChange, "google.firestore.v1.DocumentChange",
    [
      .message(.documentChangeDocument, 1, "document", of: .document),
      .int32s(.documentChangeTargetIds, 5, "target_ids"),
      .int32s(.documentChangeRemovedTargetIds, 6, "removed_target_ids"),
    ])

  private static let documentDelete = MessageSpec(
    .documentDelete, "google.firestore.v1.DocumentDelete",
    [
      .text(.documentDeleteDocument, 1, "document"),
      .timestamp(.documentDeleteReadTime, 4, "read_time"),
      .int32s(.documentDeleteRemovedTargetIds, 6, "removed_target_ids"),
    ])

  private static let documentRemove = MessageSpec(
    .documentRemove, "google.firestore.v1.DocumentRemove",
    [
      .text(.documentRemoveDocument, 1, "document"),
      .int32s(.documentRemoveRemovedTargetIds, 2, "removed_target_ids"),
      .timestamp(.documentRemoveReadTime, 4, "read_time"),
    ])

  private static let existenceFilter = MessageSpec(
    .existenceFilter, "google.firestore.v1.ExistenceFilter",
    [
      .int32(.existenceFilterTargetId, 1, "target_id"),
      .int32(.existenceFilterCount, 2, "count"),
      .message(.existenceFilterUnchangedNames, 3, "unchanged_names", of: .bloomFilter),
    ])

  private static let bloomFilter = MessageSpec(
    .bloomFilter, "google.firestore.v1.BloomFilter",
    [
      .message(.bloomFilterBits, 1, "bits", of: .bitSequence),
      .int32(.bloomFilterHashCount, 2, "hash_count"),
    ])

  private static let bitSequence = MessageSpec(
    .bitSequence, "google.firestore.v1.BitSequence",
    [
      .bytes(.bitSequenceBitmap, 1, "bitmap"),
      .int32(.bitSequencePadding, 2, "padding"),
    ])
}
