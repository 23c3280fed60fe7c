import Logging
import NotesService
import Peapod

// The child pod of a request overrides these three.

let requestIDProvider = Provider<String>("requestID", scope: .request) { _ in
  fatalError("the child pod of a request must override its identifier")
}

let requestLoggerProvider = Provider<Logger>("requestLogger", scope: .request) { _ in
  fatalError("the child pod of a request must override its logger")
}

let userProvider = Provider<User>(scope: .request) { _ in
  fatalError("a user was asked for in a request that needs none; put its route behind AuthenticationMiddleware")
}

// These follow from them. They hold nothing of their own, so they are made whenever they are asked for and not kept; and
// none is asynchronous: what they need of the database is there, so there is nothing to wait for and no task to start.

let noteServiceProvider = Provider(scope: .alwaysCreateNew) { pod in
  NoteService(
    notes: pod.opened(noteRepositoryProvider).notes(of: pod.resolve(userProvider)),
    clock: pod.resolve(clockProvider),
    random: pod.resolve(randomProvider),
    logger: pod.resolve(requestLoggerProvider))
}

let accountServiceProvider = Provider(scope: .alwaysCreateNew) { pod in
  AccountService(
    accounts: pod.opened(accountRepositoryProvider),
    hasher: pod.resolve(passwordHasherProvider),
    clock: pod.resolve(clockProvider),
    random: pod.resolve(randomProvider),
    sessionLifetime: pod.resolve(settingsProvider).sessionLifetime,
    logger: pod.resolve(requestLoggerProvider))
}

extension Pod {
  /// What needs the database, which ``PodWiring`` opened before there was a request.
  fileprivate func opened<Value>(_ provider: AsyncProvider<Value>) -> Value {
    guard let value = cachedInstance(of: provider) else {
      fatalError("a request was answered before the database was open, or after it was closed")
    }
    return value
  }
}
