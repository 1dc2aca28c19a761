/// Messages as Google's library for Python writes them (google-cloud-firestore 2.34.1, protobuf 7.36.2, keys
/// sorted): on one line the type and the protobuf, on the next one the JSON.
enum GoogleVectors {
  static let text = #"""
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812025800
    {"fields":{"x":{"nullValue":null}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812020800
    {"fields":{"x":{"booleanValue":false}},"name":"projects/p/databases/(default)/documents/a/b"\#
    }
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812020801
    {"fields":{"x":{"booleanValue":true}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812021000
    {"fields":{"x":{"integerValue":"0"}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212100a0178120b10ffffffffffffffffff01
    {"fields":{"x":{"integerValue":"-1"}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120f0a0178120a10ffffffffffffffff7f
    {"fields":{"x":{"integerValue":"9223372036854775807"}},"name":"projects/p/databases/(default\#
    )/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212100a0178120b1080808080808080808001
    {"fields":{"x":{"integerValue":"-9223372036854775808"}},"name":"projects/p/databases/(defaul\#
    t)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212080a0178120310ac02
    {"fields":{"x":{"integerValue":"300"}},"name":"projects/p/databases/(default)/documents/a/b"\#
    }
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a01781209190000000000000000
    {"fields":{"x":{"doubleValue":0.0}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a01781209190000000000000080
    {"fields":{"x":{"doubleValue":-0.0}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a0178120919000000000000f83f
    {"fields":{"x":{"doubleValue":1.5}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a0178120919000000000000f07f
    {"fields":{"x":{"doubleValue":"Infinity"}},"name":"projects/p/databases/(default)/documents/\#
    a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a0178120919000000000000f0ff
    {"fields":{"x":{"doubleValue":"-Infinity"}},"name":"projects/p/databases/(default)/documents\#
    /a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a0178120919000000000000f87f
    {"fields":{"x":{"doubleValue":"NaN"}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a01781209190100000000000000
    {"fields":{"x":{"doubleValue":5e-324}},"name":"projects/p/databases/(default)/documents/a/b"\#
    }
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120e0a017812091900008054346f9d41
    {"fields":{"x":{"doubleValue":123456789.125}},"name":"projects/p/databases/(default)/documen\#
    ts/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812025200
    {"fields":{"x":{"timestampValue":"1970-01-01T00:00:00Z"}},"name":"projects/p/databases/(defa\#
    ult)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212120a0178120d520b088092b8c398feffffff01
    {"fields":{"x":{"timestampValue":"0001-01-01T00:00:00Z"}},"name":"projects/p/databases/(defa\#
    ult)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212140a0178120f520d08ff82d1ffaf0710ff93ebdc03
    {"fields":{"x":{"timestampValue":"9999-12-31T23:59:59.999999999Z"}},"name":"projects/p/datab\#
    ases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212120a0178120d520b08fd8ea6d80610d0e59e24
    {"fields":{"x":{"timestampValue":"2026-11-27T13:37:01.076002Z"}},"name":"projects/p/database\#
    s/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212180a01781213521108ffffffffffffffffff011080cab5ee01
    {"fields":{"x":{"timestampValue":"1969-12-31T23:59:59.500Z"}},"name":"projects/p/databases/(\#
    default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212080a017812038a0100
    {"fields":{"x":{"stringValue":""}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212140a0178120f8a010c61c3bcf09f9880225c0a012f
    {"fields":{"x":{"stringValue":"aü😀\"\\\n\u0001/"}},"name":"projects/p/databases/(default)/do\#
    cuments/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212080a01781203920100
    {"fields":{"x":{"bytesValue":""}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62120c0a0178120792010400fbff01
    {"fields":{"x":{"bytesValue":"APv/AQ=="}},"name":"projects/p/databases/(default)/documents/a\#
    /b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212330a0178122e2a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646\#
    f63756d656e74732f632f64
    {"fields":{"x":{"referenceValue":"projects/p/databases/(default)/documents/c/d"}},"name":"pr\#
    ojects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62122b0a017812262a2470726f6a656374732f712f6461746162617365732f652f646f63756d656e74732\#
    f632f64
    {"fields":{"x":{"referenceValue":"projects/q/databases/e/documents/c/d"}},"name":"projects/p\#
    /databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212100a0178120b420909000000000000f83f
    {"fields":{"x":{"geoPointValue":{"latitude":1.5}}},"name":"projects/p/databases/(default)/do\#
    cuments/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812024200
    {"fields":{"x":{"geoPointValue":{}}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212190a0178121442120900000000008056c0110000000000806640
    {"fields":{"x":{"geoPointValue":{"latitude":-90.0,"longitude":180.0}}},"name":"projects/p/da\#
    tabases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812024a00
    {"fields":{"x":{"arrayValue":{}}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62121e0a017812194a170a0210010a048a0101610a0b32090a070a016b12025800
    {"fields":{"x":{"arrayValue":{"values":[{"integerValue":"1"},{"stringValue":"a"},{"mapValue"\#
    :{"fields":{"k":{"nullValue":null}}}}]}}},"name":"projects/p/databases/(default)/documents/a\#
    /b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a017812023200
    {"fields":{"x":{"mapValue":{}}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f62121d0a0178121832160a140a0161120f320d0a0b0a016212064a040a020801
    {"fields":{"x":{"mapValue":{"fields":{"a":{"mapValue":{"fields":{"b":{"arrayValue":{"values"\#
    :[{"booleanValue":true}]}}}}}}}}},"name":"projects/p/databases/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212450a01781240323e0a190a085f5f747970655f5f120d8a010a5f5f766563746f725f5f0a210a05766\#
    16c756512184a160a0919000000000000f83f0a091900000000000000c0
    {"fields":{"x":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arra\#
    yValue":{"values":[{"doubleValue":1.5},{"doubleValue":-2.0}]}}}}}},"name":"projects/p/databa\#
    ses/(default)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212b6020a017812b0028a01ac026c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e6\#
    7206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e672\#
    06c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206\#
    c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6\#
    f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6\#
    e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e6\#
    7206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e6720
    {"fields":{"x":{"stringValue":"long long long long long long long long long long long long l\#
    ong long long long long long long long long long long long long long long long long long lon\#
    g long long long long long long long long long long long long long long long long long lon\#
    g long long long long long long long long long long long "}},"name":"projects/p/databases/(d\#
    efault)/documents/a/b"}
    document 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747\#
    32f612f6212070a01611202100112070a01621202100212070a0163120210031a05080110e8072207080210809c9\#
    c39
    {"createTime":"1970-01-01T00:00:01.000001Z","fields":{"a":{"integerValue":"1"},"b":{"integer\#
    Value":"2"},"c":{"integerValue":"3"}},"name":"projects/p/databases/(default)/documents/a/b",\#
    "updateTime":"1970-01-01T00:00:02.120Z"}
    commitRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c742912470a370a2c70\#
    726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f6212070a\#
    0178120210011a080a01780a03792e7a220208011232122c70726f6a656374732f702f6461746162617365732f28\#
    64656661756c74292f646f63756d656e74732f612f622202080012021200123732350a2c70726f6a656374732f70\#
    2f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f6212050a0174100112780a2e0a\#
    2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f6222\#
    071205080510f02e3a070a016e1a0210013a0e0a016d22091900000000000004403a100a016f2a0b10fdffffffff\#
    ffffffff013a0b0a016c32060a048a0101613a050a01723a001a09110100000000000000
    {"database":"projects/p/databases/(default)","transaction":"EQEAAAAAAAAA","writes":[{"curren\#
    tDocument":{"exists":true},"update":{"fields":{"x":{"integerValue":"1"}},"name":"projects/p/\#
    databases/(default)/documents/a/b"},"updateMask":{"fieldPaths":["x","y.z"]}},{"currentDocume\#
    nt":{"exists":false},"delete":"projects/p/databases/(default)/documents/a/b"},{"delete":""},\#
    {"transform":{"document":"projects/p/databases/(default)/documents/a/b","fieldTransforms":[{\#
    "fieldPath":"t","setToServerValue":"REQUEST_TIME"}]}},{"currentDocument":{"updateTime":"1970\#
    -01-01T00:00:05.000006Z"},"update":{"name":"projects/p/databases/(default)/documents/a/b"},"\#
    updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}},{"fieldPath":"m","maxi\#
    mum":{"doubleValue":2.5}},{"fieldPath":"o","minimum":{"integerValue":"-3"}},{"appendMissingE\#
    lements":{"values":[{"stringValue":"a"}]},"fieldPath":"l"},{"fieldPath":"r","removeAllFromAr\#
    ray":{}}]}]}
    commitResponse 0a0f0a05080310a01f12025800120210020a001205080310a01f
    {"commitTime":"1970-01-01T00:00:03.000004Z","writeResults":[{"transformResults":[{"nullValue\#
    ":null},{"integerValue":"2"}],"updateTime":"1970-01-01T00:00:03.000004Z"},{}]}
    runQueryRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d\#
    656e747312ba020a111203120161120a12085f5f6e616d655f5f120512016118011ac2010abf010801120d120b0a\#
    0312016110051a0210011211120f0a0312016210081a064a040a02580012091a0708051203120163128d010a8a01\#
    0802120f120d0a0312016410011a048a01017a120f120d0a0312016410021a048a01017a120f120d0a0312016410\#
    031a048a01017a120f120d0a0312016410041a048a01017a120f120d0a0312016410061a048a01017a120f120d0a\#
    0312016410071a048a01017a120f120d0a0312016410091a048a01017a120f120d0a03120164100a1a048a01017a\#
    22070a031201611002220e0a0a12085f5f6e616d655f5f10012a0030033a360a0210010a2e2a2c70726f6a656374\#
    732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f62100142040a0210092a\#
    020102
    {"parent":"projects/p/databases/(default)/documents","structuredQuery":{"endAt":{"values":[{\#
    "integerValue":"9"}]},"from":[{"allDescendants":true,"collectionId":"a"}],"limit":0,"offset"\#
    :3,"orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"a"}},{"direction":"ASCENDING",\#
    "field":{"fieldPath":"__name__"}}],"select":{"fields":[{"fieldPath":"a"},{"fieldPath":"__nam\#
    e__"}]},"startAt":{"before":true,"values":[{"integerValue":"1"},{"referenceValue":"projects/\#
    p/databases/(default)/documents/a/b"}]},"where":{"compositeFilter":{"filters":[{"fieldFilter\#
    ":{"field":{"fieldPath":"a"},"op":"EQUAL","value":{"integerValue":"1"}}},{"fieldFilter":{"fi\#
    eld":{"fieldPath":"b"},"op":"IN","value":{"arrayValue":{"values":[{"nullValue":null}]}}}},{"\#
    unaryFilter":{"field":{"fieldPath":"c"},"op":"IS_NOT_NULL"}},{"compositeFilter":{"filters":[\#
    {"fieldFilter":{"field":{"fieldPath":"d"},"op":"LESS_THAN","value":{"stringValue":"z"}}},{"f\#
    ieldFilter":{"field":{"fieldPath":"d"},"op":"LESS_THAN_OR_EQUAL","value":{"stringValue":"z"}\#
    }},{"fieldFilter":{"field":{"fieldPath":"d"},"op":"GREATER_THAN","value":{"stringValue":"z"}\#
    }},{"fieldFilter":{"field":{"fieldPath":"d"},"op":"GREATER_THAN_OR_EQUAL","value":{"stringVa\#
    lue":"z"}}},{"fieldFilter":{"field":{"fieldPath":"d"},"op":"NOT_EQUAL","value":{"stringValue\#
    ":"z"}}},{"fieldFilter":{"field":{"fieldPath":"d"},"op":"ARRAY_CONTAINS","value":{"stringVal\#
    ue":"z"}}},{"fieldFilter":{"field":{"fieldPath":"d"},"op":"ARRAY_CONTAINS_ANY","value":{"str\#
    ingValue":"z"}}},{"fieldFilter":{"field":{"fieldPath":"d"},"op":"NOT_IN","value":{"stringVal\#
    ue":"z"}}}],"op":"OR"}}],"op":"AND"}}},"transaction":"AQI="}
    runQueryRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d\#
    656e7473126a2a0b08ffffffffffffffffff014a5b0a031201761240323e0a190a085f5f747970655f5f120d8a01\#
    0a5f5f766563746f725f5f0a210a0576616c756512184a160a0919000000000000f83f0a091900000000000000c0\#
    18022202080a2a0164320909000000000000e03f32051a030a0172
    {"newTransaction":{"readWrite":{"retryTransaction":"cg=="}},"parent":"projects/p/databases/(\#
    default)/documents","structuredQuery":{"findNearest":{"distanceMeasure":"COSINE","distanceRe\#
    sultField":"d","distanceThreshold":0.5,"limit":10,"queryVector":{"mapValue":{"fields":{"__ty\#
    pe__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.5},{"do\#
    ubleValue":-2.0}]}}}}},"vectorField":{"fieldPath":"v"}},"limit":-1}}
    runQueryResponse 0a370a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f6\#
    3756d656e74732f612f6212070a0178120210011201741a05080710c03e2004
    {"document":{"fields":{"x":{"integerValue":"1"}},"name":"projects/p/databases/(default)/docu\#
    ments/a/b"},"readTime":"1970-01-01T00:00:07.000008Z","skippedResults":4,"transaction":"dA=="\#
    }
    runQueryResponse 1a0208073001
    {"done":true,"readTime":"1970-01-01T00:00:07Z"}
    runAggregationQueryRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292\#
    f646f63756d656e747312280a001a0e0a090a07088080808080203a016e1a0712050a031201781a071a050a03120\#
    1791a020a0032020801
    {"parent":"projects/p/databases/(default)/documents","readTime":"1970-01-01T00:00:01Z","stru\#
    cturedAggregationQuery":{"aggregations":[{"alias":"n","count":{"upTo":"1099511627776"}},{"su\#
    m":{"field":{"fieldPath":"x"}}},{"avg":{"field":{"fieldPath":"y"}}},{"count":{}}],"structure\#
    dQuery":{}}}
    runAggregationQueryResponse 0a0912070a016e120210031a020809
    {"readTime":"1970-01-01T00:00:09Z","result":{"aggregateFields":{"n":{"integerValue":"3"}}}}
    getDocumentRequest 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f637\#
    56d656e74732f612f6212002a020802
    {"mask":{},"name":"projects/p/databases/(default)/documents/a/b","readTime":"1970-01-01T00:0\#
    0:02Z"}
    listDocumentsRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292f646f6\#
    3756d656e747312016118fbffffffffffffffff0122017432067820646573633a030a016142006001
    {"collectionId":"a","mask":{"fieldPaths":["a"]},"orderBy":"x desc","pageSize":-5,"pageToken"\#
    :"t","parent":"projects/p/databases/(default)/documents","showMissing":true,"transaction":""\#
    }
    listDocumentsResponse 0a030a017812016e
    {"documents":[{"name":"x"}],"nextPageToken":"n"}
    createDocumentRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292f646f\#
    63756d656e74731201611a016222370a2c70726f6a656374732f702f6461746162617365732f2864656661756c74\#
    292f646f63756d656e74732f612f6212070a0178120258002a030a0178
    {"collectionId":"a","document":{"fields":{"x":{"nullValue":null}},"name":"projects/p/databas\#
    es/(default)/documents/a/b"},"documentId":"b","mask":{"fieldPaths":["x"]},"parent":"projects\#
    /p/databases/(default)/documents"}
    updateDocumentRequest 0a630a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f\#
    646f63756d656e74732f612f6212330a0178122e2a2c70726f6a656374732f702f6461746162617365732f286465\#
    6661756c74292f646f63756d656e74732f652f6612030a01781a0022020801
    {"currentDocument":{"exists":true},"document":{"fields":{"x":{"referenceValue":"projects/p/d\#
    atabases/(default)/documents/e/f"}},"name":"projects/p/databases/(default)/documents/a/b"},"\#
    mask":{},"updateMask":{"fieldPaths":["x"]}}
    deleteDocumentRequest 0a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f\#
    63756d656e74732f612f62120412020801
    {"currentDocument":{"updateTime":"1970-01-01T00:00:01Z"},"name":"projects/p/databases/(defau\#
    lt)/documents/a/b"}
    batchGetDocumentsRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c7429122\#
    c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f62122\#
    c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f632a0\#
    6120412020804
    {"database":"projects/p/databases/(default)","documents":["projects/p/databases/(default)/do\#
    cuments/a/b","projects/p/databases/(default)/documents/a/c"],"newTransaction":{"readOnly":{"\#
    readTime":"1970-01-01T00:00:04Z"}}}
    batchGetDocumentsResponse 122c70726f6a656374732f702f6461746162617365732f2864656661756c74292f\#
    646f63756d656e74732f612f6222020801
    {"missing":"projects/p/databases/(default)/documents/a/b","readTime":"1970-01-01T00:00:01Z"}
    batchGetDocumentsResponse 0a001a0178
    {"found":{},"transaction":"eA=="}
    beginTransactionRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c74291202\#
    1a00
    {"database":"projects/p/databases/(default)","options":{"readWrite":{}}}
    beginTransactionResponse 0a0111
    {"transaction":"EQ=="}
    rollbackRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c7429120111
    {"database":"projects/p/databases/(default)","transaction":"EQ=="}
    partitionQueryRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292f646f\#
    63756d656e747312001880808080202201612805
    {"pageSize":5,"pageToken":"a","parent":"projects/p/databases/(default)/documents","partition\#
    Count":"8589934592","structuredQuery":{}}
    partitionQueryResponse 0a00120162
    {"nextPageToken":"b","partitions":[{}]}
    listCollectionIdsRequest 0a2870726f6a656374732f702f6461746162617365732f2864656661756c74292f6\#
    46f63756d656e747310021a017a
    {"pageSize":2,"pageToken":"z","parent":"projects/p/databases/(default)/documents"}
    listCollectionIdsResponse 0a01610a0162120163
    {"collectionIds":["a","b"],"nextPageToken":"c"}
    batchWriteRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c742912470a370a\#
    2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f6212\#
    070a0178120210011a080a01780a03792e7a220208011a060a016b120176
    {"database":"projects/p/databases/(default)","labels":{"k":"v"},"writes":[{"currentDocument"\#
    :{"exists":true},"update":{"fields":{"x":{"integerValue":"1"}},"name":"projects/p/databases/\#
    (default)/documents/a/b"},"updateMask":{"fieldPaths":["x","y.z"]}}]}
    batchWriteResponse 0a001206080612026e6f1200
    {"status":[{"code":6,"message":"no"},{}],"writeResults":[{}]}
    writeRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c74291201731a32122c7\#
    0726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f6222020\#
    8002201302a060a016b120176
    {"database":"projects/p/databases/(default)","labels":{"k":"v"},"streamId":"s","streamToken"\#
    :"MA==","writes":[{"currentDocument":{"exists":false},"delete":"projects/p/databases/(defaul\#
    t)/documents/a/b"}]}
    writeResponse 0a0134120130
    {"streamId":"4","streamToken":"MA=="}
    listenRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c7429123b1a2e122c70\#
    726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e74732f612f6222020a\#
    0928ea073001620022150a10676f6f672d6c697374656e2d74616773120178
    {"addTarget":{"documents":{"documents":["projects/p/databases/(default)/documents/a/b"]},"ex\#
    pectedCount":0,"once":true,"resumeToken":"Cgk=","targetId":1002},"database":"projects/p/data\#
    bases/(default)","labels":{"goog-listen-tags":"x"}}
    listenRequest 0a1e70726f6a656374732f702f6461746162617365732f2864656661756c7429123912310a2870\#
    726f6a656374732f702f6461746162617365732f2864656661756c74292f646f63756d656e747312051203120161\#
    28025a020805
    {"addTarget":{"query":{"parent":"projects/p/databases/(default)/documents","structuredQuery"\#
    :{"from":[{"collectionId":"a"}]}},"readTime":"1970-01-01T00:00:05Z","targetId":2},"database"\#
    :"projects/p/databases/(default)"}
    listenRequest 18ea07
    {"removeTarget":1002}
    listenRequest 1800
    {"removeTarget":0}
    listenResponse 12230802120304ac021a1a080712160a66616c736520666f7220276c697374272040204c33
    {"targetChange":{"cause":{"code":7,"message":"\nfalse for 'list' @ L3"},"targetChangeType":"\#
    REMOVE","targetIds":[4,300]}}
    listenResponse 120d22040a0908013205080610e807
    {"targetChange":{"readTime":"1970-01-01T00:00:06.000001Z","resumeToken":"CgkIAQ=="}}
    listenResponse 12050804120102
    {"targetChange":{"targetChangeType":"RESET","targetIds":[2]}}
    listenResponse 1a400a370a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646\#
    f63756d656e74732f612f6212070a0178120210012a010232020406
    {"documentChange":{"document":{"fields":{"x":{"integerValue":"1"}},"name":"projects/p/databa\#
    ses/(default)/documents/a/b"},"removedTargetIds":[4,6],"targetIds":[2]}}
    listenResponse 22360a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f637\#
    56d656e74732f612f62220208013202ec07
    {"documentDelete":{"document":"projects/p/databases/(default)/documents/a/b","readTime":"197\#
    0-01-01T00:00:01Z","removedTargetIds":[1004]}}
    listenResponse 32360a2c70726f6a656374732f702f6461746162617365732f2864656661756c74292f646f637\#
    56d656e74732f612f621202ec0722020801
    {"documentRemove":{"document":"projects/p/databases/(default)/documents/a/b","readTime":"197\#
    0-01-01T00:00:01Z","removedTargetIds":[1004]}}
    listenResponse 2a10080210051a0a0a060a02ff0110031007
    {"filter":{"count":5,"targetId":2,"unchangedNames":{"bits":{"bitmap":"/wE=","padding":3},"ha\#
    shCount":7}}}
    """#
}
