import Foundation
import MoviesCore
import Peapod
import PeapodSystem
import PeapodTesting
import Testing

/// Each test has a child pod for one attempt, as the view of the flow has, and the same date and identifiers at each run.
@MainActor
@Suite("Signing up", .pod { $0.useDeterministicSystem(now: .distantPast, seed: 1) }, .strict)
struct SignUpTests {
  private let app = Pod.current
  private let attempt = Pod.current.makeChild("attempt", owning: [.signUp])

  private var flow: SignUpFlow { attempt.resolve(signUpFlowProvider) }
  private var draft: SignUpDraft { attempt.resolve(signUpDraftProvider) }
  private var accountStep: AccountStep { attempt.resolve(accountStepProvider) }
  private var profileStep: ProfileStep { attempt.resolve(profileStepProvider) }

  private func fillIn(email: String = "ada@example.com", password: String = "countess", name: String = "Ada") {
    draft.email = email
    draft.password = password
    draft.name = name
  }

  @Test("from nothing to an account")
  func wholeWay() async {
    fillIn()
    accountStep.proceed()
    #expect(flow.step == .profile)
    await profileStep.finish()
    let id = UUIDSource.incrementing()
    let account = Account(id: id, email: "ada@example.com", name: "Ada", createdAt: .distantPast)
    #expect(flow.step == .finished(account))
    #expect(app.resolve(sessionProvider).account == account)
    app.resolve(sessionProvider).signOut()
    #expect(app.resolve(sessionProvider).account == nil)
  }

  @Test(
    "an address has a name, an @ and a domain",
    arguments: [
      ("a@b.c", true), ("ada@mail.example.com", true), ("", false), ("ada", false), ("ada@", false),
      ("ada@example", false), ("@example.com", false), ("ada@.com", false), ("ada@example.", false), ("a@b@c.d", false),
    ])
  func addresses(email: String, isRight: Bool) {
    fillIn(email: email)
    #expect(accountStep.emailProblem == nil)
    let step = accountStep
    step.proceed()
    #expect((step.emailProblem == nil) == isRight)
    #expect((flow.step == .profile) == isRight)
  }

  @Test("a short password is refused, and the problem goes when it is mended")
  func passwords() {
    fillIn(password: "1234567")
    accountStep.proceed()
    #expect(flow.step == .account)
    #expect(accountStep.passwordProblem != nil)
    draft.password = "12345678"
    #expect(accountStep.passwordProblem == nil)
  }

  @Test("the draft lasts from step to step; the model of a step is new when it is entered again")
  func scopes() {
    let (firstDraft, firstStep) = (draft, accountStep)
    fillIn(email: "nothing")
    firstStep.proceed()
    #expect(accountStep === firstStep)
    #expect(accountStep.emailProblem != nil)
    draft.email = "ada@example.com"
    firstStep.proceed()
    flow.goBack()
    #expect(flow.step == .account)
    #expect(draft === firstDraft)
    #expect(accountStep !== firstStep)
    #expect(draft.email == "ada@example.com")
  }

  @Test("a name of spaces makes no account")
  func emptyName() async {
    fillIn(name: "  ")
    accountStep.proceed()
    #expect(!profileStep.isComplete)
    await profileStep.finish()
    #expect(flow.step == .profile)
    #expect(app.resolve(sessionProvider).account == nil)
  }

  @Test("an address that is taken leads back to where it was asked for")
  func takenAddress() async throws {
    let accounts = app.resolve(accountServiceProvider)
    _ = try await accounts.signUp(email: "ADA@example.com", password: "countess", name: "Another")
    fillIn()
    accountStep.proceed()
    await profileStep.finish()
    #expect(flow.step == .account)
    #expect(flow.problem == .emailIsTaken)
    #expect(!flow.isSubmitting)
    draft.email = "lovelace@example.com"
    accountStep.proceed()
    #expect(flow.problem == nil)
    await profileStep.finish()
    #expect(app.resolve(sessionProvider).account?.email == "lovelace@example.com")
  }

  @Test("a service that is away changes nothing, and can be asked again")
  func unavailable() async {
    struct NoService: AccountService {
      func signUp(email: String, password: String, name: String) async throws(SignUpError) -> Account {
        throw .serviceIsUnavailable
      }
    }
    fillIn()
    attempt.overrideProvider(accountServiceProvider) { _ in NoService() }
    // The flow is built from the service, so the draft is filled in and the flow is another.
    accountStep.proceed()
    await profileStep.finish()
    #expect(flow.step == .profile)
    #expect(flow.problem == .serviceIsUnavailable)
    #expect(app.resolve(sessionProvider).account == nil)
    await profileStep.finish()
    #expect(flow.problem == .serviceIsUnavailable)
  }

  @Test("a service that is away is asked again after one second and after four more")
  func retries() async throws {
    final class LateService: AccountService {
      let attempts = SharedCount()

      func signUp(email: String, password: String, name: String) async throws(SignUpError) -> Account {
        guard attempts.increment() == 3 else { throw .serviceIsUnavailable }
        return Account(id: UUIDSource.incrementing(), email: email, name: name, createdAt: .distantPast)
      }
    }
    let service = LateService()
    let clock = ManualClock()
    app.overrideProvider(accountServiceProvider, withValue: service)
    app.overrideProvider(.clock, withValue: clock)
    fillIn()
    accountStep.proceed()
    let (flow, profileStep) = (flow, profileStep)
    let submission = Task { await profileStep.finish() }
    await clock.advance(by: .milliseconds(999))
    #expect(service.attempts.value == 1)
    await clock.advance(by: .milliseconds(1))
    #expect(service.attempts.value == 2)
    #expect(flow.isSubmitting)
    await clock.run()
    await submission.value
    #expect(clock.now.offset == .seconds(5))
    #expect(app.resolve(sessionProvider).account?.email == "ada@example.com")
  }

  @Test("two attempts know nothing of each other, and share the session")
  func attempts() {
    let other = app.makeChild("other", owning: [.signUp])
    fillIn()
    #expect(other.resolve(signUpDraftProvider).email.isEmpty)
    #expect(other.resolve(signUpFlowProvider) !== flow)
    #expect(other.resolve(sessionProvider) === attempt.resolve(sessionProvider))
  }

  @Test("an attempt that is given up leaves nothing behind")
  func givingUp() {
    weak var draft: SignUpDraft?
    weak var step: AccountStep?
    do {
      let attempt = app.makeChild(owning: [.signUp])
      step = attempt.resolve(accountStepProvider)
      draft = attempt.resolve(signUpDraftProvider)
      #expect(draft != nil && step != nil)
      withExtendedLifetime(attempt) {}
    }
    #expect(draft == nil)
    #expect(step == nil)
  }

  @Test("the parts are put together as the picture says")
  func graph() {
    _ = (accountStep, profileStep)
    expectGraph(of: attempt, matches: "SignUp")
  }

  #if os(macOS) || os(Linux)
    @Test("without a pod that owns the flow there is none")
    func noOwner() async {
      await #expect(processExitsWith: .failure) {
        await MainActor.run { _ = Pod("app").resolve(signUpDraftProvider) }
      }
    }
  #endif
}
