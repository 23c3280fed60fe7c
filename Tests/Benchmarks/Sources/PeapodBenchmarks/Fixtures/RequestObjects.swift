import CBenchmarkSupport
import Peapod

// The objects of the request rows, as providers and with manual wiring. A request makes a child with three constant
// overrides, resolves one transient, and releases the child. The transient depends on two shared singletons and on one
// instance of a scope that the child owns.

/// A value that identifies one request.
struct RequestNumber: Sendable {
  let value: Int
}

/// A value that limits the time of one request.
struct RequestDeadline: Sendable {
  let nanoseconds: Int
}

/// The transient that answers one request.
final class RequestHandler: Sendable {
  let database: Service
  let log: Service
  let session: Service

  init(database: Service, log: Service, session: Service) {
    self.database = database
    self.log = log
    self.session = session
  }
}

let database = Provider { _ in Service() }
let log = Provider { _ in Service() }
let user = Provider { _ in Service() }
let requestNumber = Provider { _ in RequestNumber(value: 0) }
let requestDeadline = Provider { _ in RequestDeadline(nanoseconds: 0) }
let session = Provider(scope: RequestScope()) { _ in Service() }
let requestHandler = Provider(scope: .alwaysCreateNew) { pod in
  RequestHandler(database: pod.resolve(database), log: pod.resolve(log), session: pod.resolve(session))
}

/// Answers one request with a child of a pod.
@inline(never) func answerRequest(_ number: Int, of requester: Service, in pod: Pod) {
  let child = pod.makeChild(owning: [RequestScope()]) {
    $0.overrideProvider(user, withValue: requester)
    $0.overrideProvider(requestNumber, withValue: RequestNumber(value: number))
    $0.overrideProvider(requestDeadline, withValue: RequestDeadline(nanoseconds: number))
  }
  consume(child.resolve(requestHandler))
}

/// A container of shared services, written by hand.
final class ManualServer: Sendable {
  let database = Service()
  let log = Service()
}

/// A container of one request's values, written by hand.
final class ManualRequest {
  let server: ManualServer
  let user: Service
  let number: RequestNumber
  let deadline: RequestDeadline
  private(set) lazy var session = Service()

  init(server: ManualServer, user: Service, number: RequestNumber, deadline: RequestDeadline) {
    self.server = server
    self.user = user
    self.number = number
    self.deadline = deadline
  }

  func makeHandler() -> RequestHandler {
    RequestHandler(database: server.database, log: server.log, session: session)
  }
}

/// Answers one request with manual wiring.
@inline(never) func answerRequest(_ number: Int, of requester: Service, in server: ManualServer) {
  let request = ManualRequest(
    server: server, user: requester, number: RequestNumber(value: number),
    deadline: RequestDeadline(nanoseconds: number))
  consume(request)
  consume(request.makeHandler())
}

@inline(never) private func consume(_ value: ManualRequest) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}

@inline(never) private func consume(_ value: consuming RequestHandler) {
  benchmark_sink(Unmanaged.passUnretained(value).toOpaque())
}
