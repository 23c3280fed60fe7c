import NotesService
import Peapod

let requestMetricsProvider = Provider { pod in RequestMetrics(factory: pod.resolve(metricsProvider)) }

let passwordHasherProvider = Provider { pod in
  PasswordHasher(cost: pod.resolve(settingsProvider).passwordCost, random: pod.resolve(randomProvider))
}

let requestLimiterProvider = Provider("requestLimiter") { pod in
  RateLimiter(rate: pod.resolve(settingsProvider).requestRate, clock: pod.resolve(clockProvider))
}

let signInLimiterProvider = Provider("signInLimiter") { pod in
  RateLimiter(rate: pod.resolve(settingsProvider).signInRate, clock: pod.resolve(clockProvider))
}

let accountRepositoryProvider = AsyncProvider { pod in
  AccountRepository(database: try await pod.resolve(databaseProvider))
}

let noteRepositoryProvider = AsyncProvider { pod in
  NoteRepository(database: try await pod.resolve(databaseProvider))
}

let authenticatorProvider = AsyncProvider { pod in
  Authenticator(accounts: try await pod.resolve(accountRepositoryProvider), clock: pod.resolve(clockProvider))
}

let sharedServicesProvider = AsyncProvider { pod in
  SharedServices(
    random: pod.resolve(randomProvider),
    logger: pod.resolve(loggerProvider),
    metrics: pod.resolve(requestMetricsProvider),
    authenticator: try await pod.resolve(authenticatorProvider),
    requestLimiter: pod.resolve(requestLimiterProvider),
    signInLimiter: pod.resolve(signInLimiterProvider))
}
