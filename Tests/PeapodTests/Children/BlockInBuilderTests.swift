import Peapod
import Testing

/// Rules 9 and 18: a builder may open a block, and sees it.
@Suite struct BlockInBuilderTests {
  private let setting = Provider("setting") { _ in "plain" }
  private let text: Provider<String>

  init() {
    let setting = setting
    text = Provider("text") { pod in "text of \(pod.resolve(setting))" }
  }

  private func override(_ pod: Pod) { pod.overrideProvider(setting) { _ in "other" } }

  @Test(
    "R18 the operation of a block that a builder opens sees the block", arguments: [false, true], [false, true])
  func synchronous(isInChild: Bool, isCaptured: Bool) {
    let root = Pod("root")
    let pod = isInChild ? root.makeChild { $0.overrideProvider(setting) { _ in "child's" } } : root
    for scope in [nil, AlwaysCreateNewScope()] {
      let make: @Sendable (Pod) -> String = { [setting, text] own in
        let used = isCaptured ? pod : own
        let inside = used.withOverrides {
          self.override($0)
        } operation: {
          [used.resolve(setting), used.resolve(text)]
        }
        return (inside + [used.resolve(text)]).joined(separator: ", ")
      }
      let whole = scope.map { Provider("whole", scope: $0, make) } ?? Provider("whole", make)
      let outside = isInChild ? "child's" : "plain"
      #expect(pod.resolve(whole) == "other, text of other, text of \(outside)")
      #expect(pod.resolve(text) == "text of \(outside)")
    }
  }

  @Test("R18 the same with an asynchronous builder, in its child tasks too", arguments: [false, true])
  func asynchronous(isTransient: Bool) async throws {
    let pod = Pod("root")
    let make: @Sendable (Pod) async -> String = { [setting, text] own in
      let inside = await own.withOverrides {
        self.override($0)
      } operation: {
        await Task.yield()
        async let child = own.resolve(setting)
        return await [child, own.resolve(text)]
      }
      return (inside + [own.resolve(text)]).joined(separator: ", ")
    }
    let whole = isTransient ? AsyncProvider("whole", scope: .alwaysCreateNew, make) : AsyncProvider("whole", make)
    #expect(try await pod.resolve(whole) == "other, text of other, text of plain")
  }

  @Test("R18 blocks in a builder nest, and a builder within sees the block for which it runs")
  func nested() {
    let pod = Pod("root")
    let (setting, text) = (setting, text)
    let inner = Provider("inner") { own in
      let inside = own.withOverrides {
        $0.overrideProvider(setting) { own in own.resolve(setting) + "!" }
      } operation: {
        own.resolve(text)
      }
      return "\(inside) in \(pod.resolve(text))"
    }
    let whole = Provider("whole") { own in
      own.withOverrides(override) { own.resolve(inner) } + ", \(own.resolve(inner))"
    }
    #expect(pod.resolve(whole) == "text of other! in text of other, text of plain! in text of plain")
  }

  @Test("R18 what a builder has made for a child from outside its block does not see that, and is not changed by it")
  func outsiders() {
    let pod = Pod("root")
    let (setting, child) = (setting, pod.makeChild())
    let captured = Provider("captured") { _ in "captured \(pod.resolve(setting))" }
    let whole = Provider("whole") { own in own.withOverrides(override) { child.resolve(captured) } }
    #expect(pod.resolve(whole) == "captured plain")
    #expect(pod.resolve(captured) == "captured plain")
  }

  @Test("R18 R27 what is built in the block of a builder goes with the block, exactly once")
  func ends() {
    let pod = Pod("root")
    let log = Log<String>()
    let part = Provider("part") { _ in
      "part"
    } onDispose: { _ in
      log.append("part")
    }
    let whole = Provider("whole") { own in
      let inside = own.withOverrides({ _ in }) { own.resolve(part) }
      log.append("built")
      return inside
    } onDispose: { _ in
      log.append("whole")
    }
    #expect(pod.resolve(whole) == "part")
    #expect(!pod.isCached(part))
    pod.dispose()
    #expect(log.entries == ["part", "built", "whole"])
  }

  @Test(
    "R18 what hooks do at the end of a block stays in it, also where a builder opened it", arguments: [false, true])
  func hooksAtTheEnd(isInBuilder: Bool) {
    let root = Pod("root")
    let child = root.makeChild("child")
    let number = Provider("number") { _ in 1 }
    let part = Provider("part") { _ in
      Part()
    } onDispose: { _ in
      root.overrideProvider(number, withValue: 2)
    }
    @Sendable func useBlock() {
      root.withOverrides { _ in
      } operation: {
        _ = root.resolve(part)
      }
    }
    let whole = Provider("whole") { _ in
      useBlock()
      return root.resolve(number)
    }
    if isInBuilder { #expect(child.resolve(whole) == 1) } else { useBlock() }
    #expect(root.resolve(number) == 1)
  }

  private final class Part: Sendable {}
}
