import Peapod
import PeapodTesting
import Testing

@Suite("A required override")
struct RequiredOverrideTests {
  @Test(
    "is missed when there is none", .expectsIssue("api", "must be overridden"), .pod { $0.requireOverride(apiProvider) }
  )
  func missing() {}

  @Test(
    "is missed when the real thing was built",
    .expectsIssue("api", "was built by its own builder"), .pod { $0.requireOverride(apiProvider) })
  func builtForReal() {
    #expect(Pod.current.resolve(serviceProvider).api.name() == "live")
  }

  @Test(
    "is missed when it comes too late", .expectsIssue("was built by its own builder"),
    .pod { $0.requireOverride(apiProvider) })
  func tooLate() {
    _ = Pod.current.resolve(apiProvider)
    Pod.current.overrideProvider(apiProvider) { _ in MockAPI() }
  }

  @Test(
    "is there when the closure makes it",
    .pod {
      $0.requireOverride(apiProvider, configProvider)
      $0.overrideProvider(apiProvider) { _ in MockAPI() }
      $0.overrideProvider(configProvider, withValue: Config())
    })
  func present() {
    #expect(Pod.current.resolve(serviceProvider).api.name() == "mock")
  }

  @Test(
    "R17 is there when it decorates the real thing",
    .pod {
      $0.requireOverride(numberProvider)
      $0.overrideProvider(numberProvider) { pod in pod.resolve(numberProvider) - 1 }
    })
  func decorating() {
    #expect(Pod.current.resolve(numberProvider) == -2)
  }

  @Test("is there when the test makes it", .pod { $0.requireOverride(apiProvider) })
  func madeInTheTest() {
    Pod.current.overrideProvider(apiProvider) { _ in MockAPI() }
    #expect(Pod.current.resolve(apiProvider).name() == "mock")
  }

  @Test("is there when a child pod makes it before it resolves", .pod { $0.requireOverride(apiProvider) })
  func madeInAChild() {
    let child = Pod.current.makeChild { $0.overrideProvider(apiProvider) { _ in MockAPI() } }
    #expect(child.resolve(serviceProvider).api.name() == "mock")
  }

  @Test(
    "names each provider that has none", .expectsIssues("config", "number"),
    .pod {
      $0.requireOverride(configProvider, apiProvider, numberProvider)
      $0.overrideProvider(apiProvider) { _ in MockAPI() }
    })
  func several() {}

  @Test("of a family is missed when there is none", .expectsIssue("user"), .pod { $0.requireOverride(userProvider) })
  func missingFamily() {}

  @Test(
    "of a family is there, and serves its members",
    .pod {
      $0.requireOverride(userProvider)
      $0.requireOverride(userProvider(3))
      $0.overrideProvider(userProvider) { _, _ in MockAPI() }
    })
  func presentFamily() {
    #expect(Pod.current.resolve(userProvider(3)).name() == "mock")
  }

  @Test(
    "of a family is missed when a member was built for real",
    .expectsIssue("user", "was built by its own builder"), .pod { $0.requireOverride(userProvider) })
  func memberBuiltForReal() {
    #expect(Pod.current.resolve(userProvider(3)).name() == "live")
  }

  @Test(
    "of a family is missed when a member was built before it came",
    .expectsIssue("user", "was built by its own builder"), .pod { $0.requireOverride(userProvider) })
  func memberBuiltBefore() {
    _ = Pod.current.resolve(userProvider(3))
    Pod.current.overrideProvider(userProvider) { _, _ in MockAPI() }
  }

  @Test(
    "of a family is missed when a member was built after its removal",
    .expectsIssue("user", "was built by its own builder"),
    .pod {
      $0.requireOverride(userProvider)
      $0.overrideProvider(userProvider) { _, _ in MockAPI() }
    })
  func memberBuiltAfterwards() {
    Pod.current.removeOverrideProvider(userProvider)
    #expect(Pod.current.resolve(userProvider(3)).name() == "live")
  }

  @Test(
    "of a family does not concern a member that has an override of its own",
    .pod {
      $0.requireOverride(userProvider)
      $0.overrideProvider(userProvider(3)) { _ in MockAPI() }
    })
  func overriddenMember() {
    #expect(Pod.current.resolve(userProvider(3)).name() == "mock")
    Pod.current.overrideProvider(userProvider) { _, _ in MockAPI() }
  }

  @Test(
    "of a family is missed when a member beside an overridden member was built for real",
    .expectsIssue("user", "was built by its own builder"),
    .pod {
      $0.requireOverride(userProvider)
      $0.overrideProvider(userProvider(3)) { _ in MockAPI() }
    })
  func otherMember() {
    #expect(Pod.current.resolve(userProvider(4)).name() == "live")
  }

  @Test(
    "of a member does not concern other members",
    .pod {
      $0.requireOverride(userProvider(3))
      $0.overrideProvider(userProvider(3)) { _ in MockAPI() }
    })
  func requiredMember() {
    #expect(Pod.current.resolve(userProvider(4)).name() == "live")
  }

  @Test(
    "is missed when its own builder threw", .expectsIssue("failing", "was built by its own builder"),
    .pod { $0.requireOverride(failingProvider) })
  func ownBuilderThrew() {
    #expect(throws: CancellationError.self) { try Pod.current.resolve(failingProvider) }
    Pod.current.overrideProvider(failingProvider, withValue: 1)
  }

  @Test(
    "is there when the builder of the override throws",
    .pod {
      $0.requireOverride(failingProvider)
      $0.overrideProvider(failingProvider) { _ in throw CancellationError() }
    })
  func overrideThrew() {
    #expect(throws: CancellationError.self) { try Pod.current.resolve(failingProvider) }
  }

  @Test(
    "in a block counts what the pod itself overrides",
    .overrides(of: overriddenPod) { $0.requireOverride(apiProvider) })
  func inherited() {
    #expect(overriddenPod.resolve(apiProvider).name() == "inherited")
  }

  @Test(
    "in a block is missed when neither has one", .expectsIssue("config"),
    .overrides(of: overriddenPod) { $0.requireOverride(configProvider) })
  func missingInBlock() {}

  @Test("may be asked for in the test itself", .expectsIssues("number"), .pod)
  func askedInTheTest() {
    Pod.current.requireOverride(numberProvider)
  }

  @Test("asked for outside a test trait is an issue, not silence")
  func outsideATrait() {
    withKnownIssue {
      Pod().requireOverride(apiProvider)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("`requireOverride` works on the pod of a test trait") }
    }
  }
}

@Suite("A required override in the traits of several pods", .overrides(of: overriddenPod) { _ in })
struct SeveralPodsTests {
  @Test("belongs to the pod on which the function is called", .overrides(of: barePod) { _ in })
  func outerPod() {
    overriddenPod.requireOverride(apiProvider)
  }

  @Test(
    "of the inner pod does not concern the outer pod", .expectsIssue("config", "must be overridden"),
    .overrides(of: barePod) { $0.requireOverride(configProvider) })
  func innerPod() {
    overriddenPod.overrideProvider(configProvider, withValue: Config())
  }

  @Test("belongs to the outer pod beside a new pod", .pod)
  func besideNewPod() {
    overriddenPod.requireOverride(apiProvider)
  }

  @Test("of a child belongs to the nearest ancestor that has a trait", .pod)
  func child() {
    overriddenPod.makeChild().requireOverride(apiProvider)
  }

  @Test("of a pod without a trait is an issue that says so", .pod)
  func podWithoutTrait() {
    withKnownIssue {
      barePod.requireOverride(apiProvider)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("`requireOverride` works on the pod of a test trait") }
    }
  }
}

@Suite(
  "A missing override of an outer pod", .expectsIssues("config"), .overrides(of: barePod) { _ in })
struct MissingOuterOverrideTests {
  @Test("is missed, though the inner pod has one", .pod { $0.overrideProvider(configProvider, withValue: Config()) })
  func outerPod() {
    barePod.requireOverride(configProvider)
  }
}

@Suite("A suite that requires an override", .pod { $0.requireOverride(apiProvider) })
struct RequiringSuiteTests {
  @Test("is content with a test that makes it", .pod { $0.overrideProvider(apiProvider) { _ in MockAPI() } })
  func present() {
    #expect(Pod.current.resolve(apiProvider).name() == "mock")
  }
}

private let overriddenPod: Pod = {
  let pod = Pod("overridden")
  pod.overrideProvider(apiProvider) { _ in MockAPI("inherited") }
  return pod
}()

private let barePod = Pod("bare")
private let failingProvider = ThrowingProvider<Int>("failing") { _ in throw CancellationError() }
