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
// none is asynchronous: the database is open, so there is nothing to wait for and no task to start.

let noteRepositoryProvider = Provider(scope: .alwaysCreateNew) { pod in
  NoteRepository(database: pod.openDatabase, owner: pod.resolve(userProvider))
}

let noteServiceProvider = Provider(scope: .alwaysCreateNew) { pod in
  NoteService(
    notes: pod.resolve(noteRepositoryProvider),
    clock: pod.resolve(clockProvider),
    random: pod.resolve(randomProvider),
    logger: pod.resolve(requestLoggerProvider))
}

let accountServiceProvider = Provider(scope: .alwaysCreateNew) { pod in
  AccountService(
    accounts: AccountRepository(database: pod.openDatabase),
    hasher: pod.resolve(passwordHasherProvider),
    clock: pod.resolve(clockProvider),
    random: pod.resolve(randomProvider),
    sessionLifetime: pod.resolve(settingsProvider).sessionLifetime,
    logger: pod.resolve(requestLoggerProvider))
}

extension Pod {
  /// The database, which ``PodWiring`` opened before there was a request.
  fileprivate var openDatabase: NotesDatabase {
    guard let database = cachedInstance(of: databaseProvider) else {
      fatalError("a request was answered before the database was open, or after it was closed")
    }
    return database
  }
}
