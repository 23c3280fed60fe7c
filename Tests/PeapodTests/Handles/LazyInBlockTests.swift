import Peapod
import Testing

/// Rules 18 and 23: lazies that were made outside of a block, within it.
@Suite(.timeLimit(.minutes(20)))
struct LazyInBlockTests {
  private let pod = Pod()
  private let setting = Provider("setting") { _ in "outside" }

  /// A provider that is built at each resolve, so that only the lazy keeps what it has.
  private func declare(in census: Census? = nil) -> Provider<Part> {
    Provider(scope: .alwaysCreateNew) { [setting] in Part($0.resolve(setting), in: census) }
  }

  @Test("R18 R23 a lazy has a value of its own in a block, and another outside", arguments: [true, false])
  func ownValue(isReadBefore: Bool) {
    let lazy = pod.lazy(declare())
    let before = isReadBefore ? lazy.value : nil
    var inside: Part?
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "inside") }) {
      #expect(!lazy.isResolved)
      inside = lazy.value
      #expect(lazy.isResolved && lazy.value === inside)
    }
    #expect(inside?.label == "inside")
    #expect(lazy.isResolved == isReadBefore)
    #expect(lazy.value.label == "outside")
    if let before { #expect(lazy.value === before) }
    pod.withOverrides({ _ in }) {
      #expect(lazy.value !== inside && lazy.value !== before)
    }
  }

  @Test(
    "R18 R23 forgetting in a block forgets the block's value, and the end of the block lets it go",
    arguments: [true, false])
  func ends(isAsync: Bool) async {
    let census = Census()
    let lazy = pod.lazy(declare(in: census))
    let outside = lazy.value
    func use() {
      let first = lazy.value
      lazy.dispose()
      #expect(!lazy.isResolved)
      #expect(lazy.value !== first)
    }
    if isAsync {
      await pod.withOverrides({ _ in }) {
        await Task.yield()
        use()
      }
    } else {
      pod.withOverrides({ _ in }, operation: use)
    }
    #expect(census.alive == 1)
    #expect(lazy.value === outside)
  }

  @Test("R18 R23 any number of blocks at once, and blocks within blocks, each have a value of theirs")
  func manyAtOnce() async {
    let lazy = pod.lazy(declare())
    await withTaskGroup { group in
      for number in 0..<rounds(200) {
        group.addTask { [pod, setting] in
          await pod.withOverrides({ $0.overrideProvider(setting, withValue: "\(number)") }) {
            async let values = [lazy.value, lazy.value]
            let own = lazy.value
            #expect(await values.allSatisfy { $0 === own })
            #expect(own.label == "\(number)")
            pod.withOverrides({ $0.overrideProvider(setting, withValue: "within") }) {
              #expect(lazy.value.label == "within")
            }
            #expect(lazy.value === own)
          }
        }
      }
    }
    #expect(!lazy.isResolved)
    #expect(lazy.value.label == "outside")
  }

  @Test("R18 R23 what does not see the block keeps its lazies")
  func others() throws {
    let (child, other) = (pod.makeChild { $0.overrideProvider(setting, withValue: "child") }, Pod())
    let lazies = [child.lazy(declare()), other.lazy(declare())]
    let values = lazies.map(\.value)
    let bare = Lazy { Part("bare") }
    let kept = bare.value
    let own = pod.lazy(declare())
    try pod.withOverrides({ $0.overrideProvider(setting, withValue: "inside") }) {
      #expect(zip(lazies, values).allSatisfy { $0.value === $1 })
      #expect(bare.value === kept)
      // Another thread is outside of the block.
      let elsewhere = try Worker { own.value.label }.join()
      #expect(elsewhere == "outside")
      #expect(own.value.label == "inside")
    }
  }

  @Test("R18 R23 what a builder of the block made lazy is the block's own, and what one outside made follows")
  func madeByBuilders() {
    struct Holder: Sendable { let lazy: Lazy<Part> }
    let part = declare()
    let holder = Provider { Holder(lazy: $0.lazy(part)) }
    let outside = pod.resolve(holder)
    var inside: Holder?
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "inside") }) {
      #expect(outside.lazy.value.label == "inside")
      inside = pod.resolve(holder)
      #expect(inside?.lazy.value.label == "inside")
    }
    #expect(outside.lazy.value.label == "outside")
    #expect(inside?.lazy.value.label == "inside")
  }

  @Test("R18 R23 the value of a lazy that was made in a block goes with the lazy, there and outside")
  func madeInBlock() {
    let census = Census()
    var escaped: Lazy<Part>?
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "inside") }) {
      #expect(pod.lazy(declare(in: census)).value.label == "inside")
      #expect(census.alive == 0)
      escaped = pod.lazy(declare(in: census))
      #expect(escaped?.value.label == "inside")
    }
    #expect(escaped?.value.label == "inside")
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "another") }) {
      #expect(escaped?.value.label == "another")
    }
    escaped = nil
    #expect(census.alive == 0)
  }

  @Test("R18 R23 a lazy property of an object that is older than the block")
  func property() {
    struct Owner { @LazyInjected var setting: String }
    let owner = Owner(setting: LazyInjected(setting, from: pod))
    pod.withOverrides({ $0.overrideProvider(setting, withValue: "inside") }) {
      #expect(owner.setting == "inside")
    }
    #expect(owner.setting == "outside")
  }

  @Test("R18 R17 what a block's decorator asks for later, by a factory, is what it decorates, and no answer to others")
  func decoratorsFactory() throws {
    final class Layered: Sendable {
      let label: String
      let below: (@Sendable () -> Layered)?
      init(_ label: String, below: (@Sendable () -> Layered)? = nil) { (self.label, self.below) = (label, below) }
    }
    let layered = Provider { _ in Layered("own") }
    pod.overrideProvider(layered) { _ in Layered("pod") }
    pod.withOverrides({ $0.overrideProvider(layered) { Layered("block", below: $0.factory(layered)) } }) {
      let first = pod.resolve(layered)
      pod.clearCachedInstances(forScope: .singleton)
      // Nothing is there, so that what the factory makes is the first.
      for _ in 0..<3 { #expect(first.below?().label == "pod") }
      for _ in 0..<3 { #expect(pod.resolve(layered).label == "block") }
    }
    for _ in 0..<3 { #expect(pod.resolve(layered).label == "pod") }
  }
}
