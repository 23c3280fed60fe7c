import Peapod
import PeapodTesting
import Testing

@Suite("Strict about unresolved overrides")
struct UnresolvedOverrideTests {
  @Test(
    "reports an override that nothing resolved, at its trait",
    .expectsIssue("The override of api: ", "never resolved"),
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } }, .strict(about: .unresolvedOverrides))
  func unresolved() {
    _ = Pod.current.resolve(configProvider)
  }

  @Test(
    "is content when it was resolved", .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } },
    .strict(about: .unresolvedOverrides))
  func resolved() {
    _ = Pod.current.resolve(apiProvider)
  }

  @Test(
    "counts what a dependent, a value, a lazy or a child pod resolved", .strict,
    .pod {
      $0.overrideProvider(apiProvider) { _ in MockAPI() }
      $0.overrideProvider(configProvider, withValue: Config())
      $0.overrideProvider(numberProvider, withValue: 3)
      $0.overrideProvider(sessionNumberProvider, withValue: 4)
    })
  func resolvedIndirectly() {
    _ = Pod.current.resolve(serviceProvider)
    #expect(Pod.current.lazy(numberProvider).value == 3)
    #expect(Pod.current.withChild { $0.resolve(sessionNumberProvider) } == 4)
  }

  @Test(
    "does not take an override by a value for resolved", .expectsIssue("number: Int"),
    .pod { $0.overrideProvider(numberProvider, withValue: 3) }, .strict)
  func unresolvedValue() {}

  @Test(
    "reports several in the order of their declarations", .expectsIssues("api", "config", "number"), .strict,
    .pod {
      $0.overrideProvider(numberProvider, withValue: 3)
      $0.overrideProvider(configProvider, withValue: Config())
      $0.overrideProvider(apiProvider) { _ in MockAPI() }
    })
  func unresolvedSeveral() {}

  @Test(
    "reports an override of a family that no member resolved", .expectsIssue("user", "never resolved"), .strict,
    .pod { $0.overrideProvider(userProvider) { _, id in MockAPI("user \(id)") } })
  func unresolvedFamily() {}

  @Test(
    "is content when any member of the family was resolved", .strict,
    .pod { $0.overrideProvider(userProvider) { _, id in MockAPI("user \(id)") } })
  func resolvedFamily() {
    #expect(Pod.current.resolve(userProvider(3)).name() == "user 3")
  }

  @Test(
    "reports one that the test itself made, at the test", .expectsIssueAtTest("The override of api: "), .pod, .strict)
  func madeInTheTest() {
    Pod.current.overrideProvider(apiProvider) { _ in MockAPI() }
  }

  @Test("forgets one that the test removed", .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } }, .strict)
  func removed() {
    Pod.current.removeOverrideProvider(apiProvider)
  }

  @Test(
    "reports one in a block on a global pod", .expectsIssue("The override of api: "),
    .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } }, .strict)
  func unresolvedInBlock() {
    _ = globalPod.resolve(configProvider)
  }

  @Test(
    "is content in a block on a global pod", .strict,
    .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func resolvedInBlock() {
    #expect(globalPod.resolve(serviceProvider).api.name() == "mock")
  }

  @Test(
    "leaves alone what a marked override does", .strict,
    .pod {
      $0.overrideProvider(apiProvider) { _ in MockAPI() }
      $0.overrideProvider(userProvider) { _, _ in MockAPI() }
      $0.allowUnresolvedOverride(apiProvider)
      $0.allowUnresolvedOverride(userProvider)
    })
  func marked() {}

  @Test(
    "accepts overrides of members whose family is marked", .strict,
    .pod {
      $0.overrideProvider(userProvider(1)) { _ in MockAPI() }
      $0.allowUnresolvedOverride(userProvider)
    })
  func markedFamily() {}

  @Test(
    "does not ask a test that threw", .expectsIssues("CancellationError"), .strict,
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func threw() throws {
    throw CancellationError()
  }

  @Test(
    "does not ask a test that is not strict about it", .strict(about: [.captiveDependencies, .leakedInstances]),
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func notAsked() {}
}

@Suite(
  "A strict suite", .expectsIssue("The override of api: "), .strict,
  .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } }
)
struct StrictSuiteTests {
  @Test("reports for each case, at the trait of the suite", arguments: 0..<5)
  func eachCase(_: Int) {}

  @Suite("with a suite inside")
  struct Inner {
    @Test("reports there too", .pod { $0.overrideProvider(numberProvider, withValue: 1) })
    func inside() {
      #expect(Pod.current.resolve(numberProvider) == 1)
    }
  }
}

@Suite(
  "Kinds of strictness", .keepsObjects, .expectsIssues("never resolved", "is still alive"),
  .strict(about: .unresolvedOverrides))
struct AddedStrictnessTests {
  @Test(
    "of a suite and of its test add up", .strict(about: .leakedInstances),
    .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func addUp() {
    Keeper.shared.keep(Pod.current.resolve(documentProvider))
  }
}

@Suite(
  "Blocks inside blocks", .strict, .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
struct NestedBlocksTests {
  @Test(
    "an outer override that an inner block resolved is resolved",
    .overrides(of: globalPod) { $0.overrideProvider(numberProvider, withValue: 2) })
  func resolvedInside() {
    #expect(globalPod.resolve(serviceProvider).api.name() == "mock")
    #expect(globalPod.resolve(numberProvider) == 2)
  }

  @Test(
    "an outer override that the inner block replaces is not asked for",
    .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI("inner") } })
  func replacedInside() {
    #expect(globalPod.resolve(serviceProvider).api.name() == "inner")
  }
}

@Suite(
  "An override that may stay unresolved", .strict,
  .overrides(of: globalPod) { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
struct AllowedOfOuterPodTests {
  @Test(
    "belongs to the pod on which the function is called", .pod { _ in globalPod.allowUnresolvedOverride(apiProvider) })
  func outerPod() {
    #expect(Pod.current.resolve(apiProvider).name() == "live")
  }

  @Test("may belong to an outer trait", .overrides(of: globalPod) { $0.allowUnresolvedOverride(apiProvider) })
  func outerTrait() {}
}

private let globalPod = Pod("global")
