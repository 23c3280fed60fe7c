import Peapod
import Testing

/// Scopes with `requiresOwner`: one user's data never becomes everybody's.
@Suite struct OwnerRequiredTests {
  @Test("R20 R30 resolving where no pod owns a scope that requires an owner stops with the remedy")
  func noOwner() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let basket = Provider("basket", scope: AccountScope()) { _ in Part("basket") }
      _ = Pod("app").resolve(basket)
    }
    let text = try #require(result?.errorText)
    #expect(text.contains("basket"))
    #expect(text.contains("AccountScope"))
    #expect(text.contains("OwnerRequiredTests.swift:"))
    #expect(text.contains("owning"))
  }

  @Test("R20 R30 a singleton built from such a scope in the root stops as well")
  func throughSingleton() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let basket = Provider("basket", scope: AccountScope()) { _ in Part("basket") }
      let page = Provider("page") { Part("page", [$0.resolve(basket)]) }
      let root = Pod("app")
      _ = root.makeChild(owning: [AccountScope()]).resolve(page)
      _ = root.makeChild("guest").resolve(page)
    }
    let text = try #require(result?.errorText)
    #expect(text.contains("basket"))
    #expect(text.contains("AccountScope"))
    #expect(text.contains("It was resolved by the builder of page (PeapodTests/OwnerRequiredTests.swift:"))
    #expect(text.contains("To fix it, resolve page in a pod made with"))
  }

  private enum Tab: ProviderScope {
    case home
    var requiresOwner: Bool { true }
  }

  private struct Numbered: ProviderScope, Hashable {
    let number: Int
    var requiresOwner: Bool { true }
  }

  @Test("R20 R30 the remedy for a scope with a value is the scope as the program writes it")
  func remedyOfScopeWithValue() async throws {
    let tab = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Pod("app").resolve(Provider("basket", scope: Tab.home) { _ in Part("basket") })
    }
    #expect(tab?.errorText.contains("makeChild(owning: [Tab.home])") == true)
    let numbered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let basket = Provider("basket", scope: Numbered(number: 7)) { _ in Part("basket") }
      let page = AsyncProvider("page") { Part("page", [$0.resolve(basket)]) }
      _ = try await Pod("app").resolve(page)
    }
    #expect(numbered?.errorText.contains("makeChild(owning: [Numbered(number: 7)])") == true)
    #expect(numbered?.errorText.contains("It was resolved by the builder of page") == true)
  }

  @Test("R20 an async and a throwing provider without an owner stop too")
  func otherKinds() async throws {
    let throwing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let basket = ThrowingProvider("basket", scope: AccountScope()) { _ in Part("basket") }
      _ = try? Pod("app").resolve(basket)
    }
    #expect(throwing?.errorText.contains("AccountScope") == true)
    let async = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let basket = AsyncProvider("basket", scope: AccountScope()) { _ in Part("basket") }
      _ = try? await Pod("app").resolve(basket)
    }
    #expect(async?.errorText.contains("AccountScope") == true)
  }

  @Test("R20 below an owner the scope is served, from every depth", arguments: ProviderKind.allCases)
  func withOwner(_ kind: ProviderKind) async throws {
    let basket = Plant.leaf(kind, "basket", scope: AccountScope())
    let page = basket.dependent("page")
    let root = Pod("app")
    let ann = root.makeChild("ann", owning: [AccountScope()])
    let bob = root.makeChild("bob", owning: [AccountScope()])
    let ofAnn = try await page.resolve(in: ann.makeChild().makeChild())
    #expect(try await page.resolve(in: ann) === ofAnn)
    #expect(try await basket.resolve(in: ann) === ofAnn.parts[0])
    #expect(try await basket.resolve(in: bob) !== ofAnn.parts[0])
    #expect(!basket.isCached(in: root))
    #expect(!page.isCached(in: root))
  }

  @Test("R20 owning a scope satisfies the requirement of its children")
  func ownedByParentScope() {
    let basket = Provider(scope: AccountScope()) { _ in Part("basket") }
    let child = Pod("app").makeChild(owning: [CompanyScope()])
    #expect(child.resolve(basket) === child.resolve(basket))
  }

  @Test("R20 an override with another scope needs no owner")
  func overriddenScope() {
    let basket = Provider(scope: AccountScope()) { _ in Part("basket") }
    let root = Pod("app")
    root.overrideProvider(basket, scope: .singleton) { _ in Part("preview") }
    #expect(root.resolve(basket).recipe == "preview")
  }
}
