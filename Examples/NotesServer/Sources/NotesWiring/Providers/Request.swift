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

// The services of a request, which depend on these values. The services are transient. Instances that do not depend on
// the request are shared with all requests.

let noteServiceProvider = Provider(scope: .alwaysCreateNew) { pod in
  NoteService(notes: pod.prepared(noteRepositoryProvider).notes(of: pod.resolve(userProvider)))
}

let accountServiceProvider = Provider(scope: .alwaysCreateNew) { pod in
  AccountService(
    accounts: pod.prepared(accountRepositoryProvider),
    hasher: pod.resolve(passwordHasherProvider),
    clock: pod.resolve(clockProvider),
    random: pod.resolve(randomProvider),
    sessionLifetime: pod.resolve(settingsProvider).sessionLifetime,
    logger: pod.resolve(requestLoggerProvider))
}
