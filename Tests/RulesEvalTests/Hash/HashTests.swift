import RulesEval
import RulesLang
import Testing

@testable import RulesTesting

/// Hashes and checks: published vectors and measured answers.
@Suite struct HashTests {
  private func hex(_ octets: [UInt8]) -> String { String(Base16.text(of: octets)).lowercased() }

  @Test func md5GivesTheHashesOfItsStandard() {
    let vectors = [
      ("", "d41d8cd98f00b204e9800998ecf8427e"),
      ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "d174ab98d277d9f5a5611c2c9f419d9f"
      ),
      (
        String(repeating: "1234567890", count: 8),
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
    ]
    for (message, hash) in vectors {
      #expect(hex(MD5.hash(Array(message.utf8))) == hash, "\(message)")
    }
  }

  @Test func sha256GivesTheHashesOfItsStandard() {
    let vectors = [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ]
    for (message, hash) in vectors {
      #expect(hex(SHA256.hash(Array(message.utf8))) == hash, "\(message.prefix(80))")
    }
  }

  @Test func checksOfTheDigitsAreThePublishedCheckValues() {
    let digits = Array("123456789".utf8)
    #expect(CRC32.standard.value(of: digits) == 0xCBF4_3926)
    #expect(CRC32.castagnoli.value(of: digits) == 0xE306_9283)
    #expect(CRC32.standard.hash(digits) == [0x26, 0x39, 0xF4, 0xCB])
    #expect(CRC32.castagnoli.hash(digits) == [0x83, 0x92, 0x06, 0xE3])
    #expect(CRC32.standard.value(of: []) == 0)
  }

  @Test func castagnolisCheckGivesTheVectorsOfISCSI() {
    let vectors: [([UInt8], UInt32)] = [
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      ([UInt8](0..<32), 0x46DD_794E),
      ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
    ]
    for (message, check) in vectors {
      #expect(CRC32.castagnoli.value(of: message) == check)
    }
  }

  @Test func hashesAreTheEmulators() throws {
    for row in try ConformanceRow.all(of: "hashes.tsv") {
      let message = try row.text(0).bytes
      let hashes = [
        CRC32.standard.hash(message), CRC32.castagnoli.hash(message), MD5.hash(message),
        SHA256.hash(message),
      ]
      let texts = hashes.map(Base16.text) + [hashes[2], message].map(Base64.urlSafe.text)
      #expect(texts.map(String.init) == Array(row.fields.dropFirst()), "\(row)")
    }
  }
}
