import Foundation
import PeapodSystem
import Testing

@Suite("Sources of values")
struct SourceTests {
  @Test("A date source reads its date at each use")
  func date() {
    #expect(DateSource.constant(.distantFuture).now == .distantFuture)
    let clock = ImmediateClock()
    let source = DateSource { Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) }
    #expect(source.now == Date(timeIntervalSince1970: 0))
  }

  @Test("Incrementing UUIDs begin with all zeros")
  func incrementing() {
    let source = UUIDSource.incrementing
    let ids = (0..<258).map { _ in source().uuidString }
    #expect(ids[0] == "00000000-0000-0000-0000-000000000000")
    #expect(ids[1] == "00000000-0000-0000-0000-000000000001")
    #expect(ids[255] == "00000000-0000-0000-0000-0000000000FF")
    #expect(ids[257] == "00000000-0000-0000-0000-000000000101")
  }

  @Test("Copies of an incrementing source continue one sequence; another source has its own")
  func copies() {
    let source = UUIDSource.incrementing
    let copy = source
    #expect(source().uuidString.hasSuffix("0"))
    #expect(copy().uuidString.hasSuffix("1"))
    #expect(UUIDSource.incrementing().uuidString.hasSuffix("0"))
  }

  @Test("A constant UUID stays, and those of the system differ")
  func otherUUIDs() {
    let id = UUID()
    let constant = UUIDSource.constant(id)
    #expect([constant(), constant()] == [id, id])
    #expect(UUIDSource.system() != UUIDSource.system())
  }

  @Test("No UUID is drawn twice, however many tasks draw")
  func concurrentUUIDs() async {
    let source = UUIDSource.incrementing
    let drawn = await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { (0..<1_000).map { _ in source() } } }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(drawn.count == 8_000)
    #expect(source().uuidString == "00000000-0000-0000-0000-000000001F40")
  }

  @Test("Seeded numbers are the published ones of SplitMix64")
  func published() {
    let source = RandomSource.seeded(1_234_567)
    let numbers = (0..<5).map { _ in source.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test("Equal seeds give equal numbers, other seeds give others")
  func seeds() {
    func throwsOfDice(_ seed: UInt64) -> [Int] {
      var source = RandomSource.seeded(seed)
      return (0..<50).map { _ in Int.random(in: 1...6, using: &source) }
    }
    #expect(throwsOfDice(7) == throwsOfDice(7))
    #expect(throwsOfDice(7) != throwsOfDice(8))
    #expect(Set(throwsOfDice(7)) == Set(1...6))
  }

  @Test("Copies of a seeded source continue one sequence")
  func randomCopies() {
    let expected = RandomSource.seeded(3)
    let source = RandomSource.seeded(3)
    let copy = source
    let numbers = [source.next(), copy.next(), source.next()]
    #expect(numbers == [expected.next(), expected.next(), expected.next()])
  }

  @Test("An environment has the variables that it was given")
  func environment() {
    let environment = ProcessEnvironment(["HOME": "/root"])
    #expect(environment["HOME"] == "/root")
    #expect(environment["PATH"] == nil)
    #expect(environment == ProcessEnvironment(["HOME": "/root"]))
    // Compared first, so that a failing test does not print the variables.
    let isSame = ProcessEnvironment.system.variables == ProcessInfo.processInfo.environment
    #expect(isSame)
  }
}
