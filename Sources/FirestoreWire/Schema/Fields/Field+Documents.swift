public import RulesEval
public import RulesLang

// The fields of documents and writes.

extension Field {
  /// `Document.name`.
  public static var documentName: Field<Text> { Field<Text>(.document, 0) }
  /// `Document.fields`.
  public static var documentFields: Field<MapValue> { Field<MapValue>(.document, 1) }
  /// `Document.create_time`.
  public static var documentCreateTime: Field<Timestamp?> { Field<Timestamp?>(.document, 2) }
  /// `Document.update_time`.
  public static var documentUpdateTime: Field<Timestamp?> { Field<Timestamp?>(.document, 3) }

  /// `ArrayValue.values`.
  public static var arrayValueValues: Field<[Value]> { Field<[Value]>(.arrayValue, 0) }

  /// `Write.update`.
  public static var writeUpdate: Field<WireMessage?> { Field<WireMessage?>(.write, 0) }
  /// `Write.delete`.
  public static var writeDelete: Field<Text?> { Field<Text?>(.write, 1) }
  /// `Write.update_mask`.
  public static var writeUpdateMask: Field<WireMessage?> { Field<WireMessage?>(.write, 2) }
  /// `Write.current_document`.
  public static var writeCurrentDocument: Field<WireMessage?> { Field<WireMessage?>(.write, 3) }
  /// `Write.verify`.
  public static var writeVerify: Field<Text?> { Field<Text?>(.write, 4) }
  /// `Write.transform`.
  public static var writeTransform: Field<WireMessage?> { Field<WireMessage?>(.write, 5) }
  /// `Write.update_transforms`.
  public static var writeUpdateTransforms: Field<[WireMessage]> { Field<[WireMessage]>(.write, 6) }

  /// `DocumentTransform.document`.
  public static var documentTransformDocument: Field<Text> { Field<Text>(.documentTransform, 0) }
  /// `DocumentTransform.field_transforms`.
  public static var documentTransformFieldTransforms: Field<[WireMessage]> {
    Field<[WireMessage]>(.documentTransform, 1)
  }

  /// `DocumentTransform.FieldTransform.field_path`.
  public static var fieldTransformFieldPath: Field<Text> { Field<Text>(.fieldTransform, 0) }
  /// `DocumentTransform.FieldTransform.set_to_server_value`.
  public static var fieldTransformSetToServerValue: Field<ServerValue?> {
    Field<ServerValue?>(.fieldTransform, 1)
  }
  /// `DocumentTransform.FieldTransform.increment`.
  public static var fieldTransformIncrement: Field<Value?> { Field<Value?>(.fieldTransform, 2) }
  /// `DocumentTransform.FieldTransform.maximum`.
  public static var fieldTransformMaximum: Field<Value?> { Field<Value?>(.fieldTransform, 3) }
  /// `DocumentTransform.FieldTransform.minimum`.
  public static var fieldTransformMinimum: Field<Value?> { Field<Value?>(.fieldTransform, 4) }
  /// `DocumentTransform.FieldTransform.append_missing_elements`.
  public static var fieldTransformAppendMissingElements: Field<WireMessage?> {
    Field<WireMessage?>(.fieldTransform, 5)
  }
  /// `DocumentTransform.FieldTransform.remove_all_from_array`.
  public static var fieldTransformRemoveAllFromArray: Field<WireMessage?> {
    Field<WireMessage?>(.fieldTransform, 6)
  }

  /// `WriteResult.update_time`.
  public static var writeResultUpdateTime: Field<Timestamp?> { Field<Timestamp?>(.writeResult, 0) }
  /// `WriteResult.transform_results`.
  public static var writeResultTransformResults: Field<[Value]> { Field<[Value]>(.writeResult, 1) }

  /// `DocumentChange.document`.
  public static var documentChangeDocument: Field<WireMessage?> {
    Field<WireMessage?>(.documentChange, 0)
  }
  /// `DocumentChange.target_ids`.
  public static var documentChangeTargetIds: Field<[Int32]> { Field<[Int32]>(.documentChange, 1) }
  /// `DocumentChange.removed_target_ids`.
  public static var documentChangeRemovedTargetIds: Field<[Int32]> {
    Field<[Int32]>(.documentChange, 2)
  }

  /// `DocumentDelete.document`.
  public static var documentDeleteDocument: Field<Text> { Field<Text>(.documentDelete, 0) }
  /// `DocumentDelete.read_time`.
  public static var documentDeleteReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.documentDelete, 1)
  }
  /// `DocumentDelete.removed_target_ids`.
  public static var documentDeleteRemovedTargetIds: Field<[Int32]> {
    Field<[Int32]>(.documentDelete, 2)
  }

  /// `DocumentRemove.document`.
  public static var documentRemoveDocument: Field<Text> { Field<Text>(.documentRemove, 0) }
  /// `DocumentRemove.removed_target_ids`.
  public static var documentRemoveRemovedTargetIds: Field<[Int32]> {
    Field<[Int32]>(.documentRemove, 1)
  }
  /// `DocumentRemove.read_time`.
  public static var documentRemoveReadTime: Field<Timestamp?> {
    Field<Timestamp?>(.documentRemove, 2)
  }

  /// `ExistenceFilter.target_id`.
  public static var existenceFilterTargetId: Field<Int32> { Field<Int32>(.existenceFilter, 0) }
  /// `ExistenceFilter.count`.
  public static var existenceFilterCount: Field<Int32> { Field<Int32>(.existenceFilter, 1) }
  /// `ExistenceFilter.unchanged_names`.
  public static var existenceFilterUnchangedNames: Field<WireMessage?> {
    Field<WireMessage?>(.existenceFilter, 2)
  }

  /// `BloomFilter.bits`.
  public static var bloomFilterBits: Field<WireMessage?> { Field<WireMessage?>(.bloomFilter, 0) }
  /// `BloomFilter.hash_count`.
  public static var bloomFilterHashCount: Field<Int32> { Field<Int32>(.bloomFilter, 1) }

  /// `BitSequence.bitmap`.
  public static var bitSequenceBitmap: Field<[UInt8]> { Field<[UInt8]>(.bitSequence, 0) }
  /// `BitSequence.padding`.
  public static var bitSequencePadding: Field<Int32> { Field<Int32>(.bitSequence, 1) }
}
