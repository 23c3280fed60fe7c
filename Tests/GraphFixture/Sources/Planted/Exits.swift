import Peapod
import PlantedCore

// Code that may not reach a resolve, so that a cycle may not close.

struct Failure: Error {}
let isOn = Bool.random()
let configuration = ThrowingProvider { _ in 1 }

func check() throws { if isOn { throw Failure() } }
func checkLater() async throws { try check() }
func take(_ things: Any?...) -> Thing { Thing() }
func takeChecked(_ thing: Thing) throws -> Thing { thing }

struct Machine: Sendable {
  var number: Int? { get throws { nil } }
  func take(_ thing: Thing) -> Thing { thing }
  subscript(thing: Thing) -> Thing { thing }
}

// finding: warning: afterCall → afterCallBack → afterCall may be a dependency cycle. Break it with lazy or factory. [cycle]
let afterCall: ThrowingProvider<Thing> = ThrowingProvider { pod in
  try check()
  return try pod.resolve(afterCallBack)
}
let afterCallBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterCall)) }

// finding: warning: afterValue → afterValueBack → afterValue may be a dependency cycle. Break it with lazy or factory. [cycle]
let afterValue: ThrowingProvider<Thing> = ThrowingProvider { pod in
  let number = try Machine().number ?? 0
  return Thing(number, try pod.resolve(afterValueBack))
}
let afterValueBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterValue)) }

// finding: warning: afterClosure → afterClosureBack → afterClosure may be a dependency cycle. Break it with lazy or factory. [cycle]
let afterClosure: ThrowingProvider<Thing> = ThrowingProvider { pod in
  let check: () throws -> Void = {}
  try check()
  return try pod.resolve(afterClosureBack)
}
let afterClosureBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterClosure)) }

// finding: warning: afterTask → afterTaskBack → afterTask may be a dependency cycle. Break it with lazy or factory. [cycle]
let afterTask: AsyncProvider<Thing> = AsyncProvider { pod in
  try await checkLater()
  return try await pod.resolve(afterTaskBack)
}
let afterTaskBack: AsyncProvider<Thing> = AsyncProvider { pod in Thing(try await pod.resolve(afterTask)) }

// finding: warning: inSameStatement → inSameStatementBack → inSameStatement may be a dependency cycle. Break it with lazy or factory. [cycle]
let inSameStatement: ThrowingProvider<Thing> = ThrowingProvider { pod in
  return Thing(try check(), try pod.resolve(inSameStatementBack))
}
let inSameStatementBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(inSameStatement)) }

// finding: warning: inSomeErrors → inSomeErrorsBack → inSomeErrors may be a dependency cycle. Break it with lazy or factory. [cycle]
let inSomeErrors: ThrowingProvider<Thing> = ThrowingProvider { pod in
  do { try check() } catch is Failure {}
  return try pod.resolve(inSomeErrorsBack)
}
let inSomeErrorsBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(inSomeErrors)) }

// finding: warning: inOptionalTry → inOptionalTryBack → inOptionalTry may be a dependency cycle. Break it with lazy or factory. [cycle]
let inOptionalTry: Provider<Thing> = Provider { pod in
  let thing = try? take(takeChecked(Thing()), pod.resolve(inOptionalTryBack))
  return thing ?? Thing()
}
let inOptionalTryBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inOptionalTry)) }

// finding: warning: inChain → inChainBack → inChain may be a dependency cycle. Break it with lazy or factory. [cycle]
let inChain: Provider<Thing> = Provider { pod in
  let machine: Machine? = nil
  return machine?.take(pod.resolve(inChainBack)) ?? Thing()
}
let inChainBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inChain)) }

// finding: warning: inChainedSubscript → inChainedSubscriptBack → inChainedSubscript may be a dependency cycle. Break it with lazy or factory. [cycle]
let inChainedSubscript: Provider<Thing> = Provider { pod in
  let machine: Machine? = nil
  return machine?[pod.resolve(inChainedSubscriptBack)] ?? Thing()
}
let inChainedSubscriptBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inChainedSubscript)) }

// finding: warning: inAssignment → inAssignmentBack → inAssignment may be a dependency cycle. Break it with lazy or factory. [cycle]
let inAssignment: Provider<Thing> = Provider { pod in
  var thing: Thing? = nil
  thing? = pod.resolve(inAssignmentBack)
  return thing ?? Thing()
}
let inAssignmentBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inAssignment)) }

// finding: warning: inCondition → inConditionBack → inCondition may be a dependency cycle. Break it with lazy or factory. [cycle]
let inCondition: Provider<Thing> = Provider { pod in
  if isOn, pod.resolve(inConditionBack) === Thing() { print() }
  return Thing()
}
let inConditionBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inCondition)) }

// finding: warning: inWhere → inWhereBack → inWhere may be a dependency cycle. Break it with lazy or factory. [cycle]
let inWhere: Provider<Thing> = Provider { pod in
  for _ in 0..<0 where pod.resolve(inWhereBack) === Thing() { print() }
  return Thing()
}
let inWhereBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inWhere)) }

// finding: warning: inRepeat → inRepeatBack → inRepeat may be a dependency cycle. Break it with lazy or factory. [cycle]
let inRepeat: Provider<Thing> = Provider { pod in
  repeat {
    if isOn { break }
    return pod.resolve(inRepeatBack)
  } while isOn
  return Thing()
}
let inRepeatBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inRepeat)) }

// finding: warning: inRepeatContinued → inRepeatContinuedBack → inRepeatContinued may be a dependency cycle. Break it with lazy or factory. [cycle]
let inRepeatContinued: Provider<Thing> = Provider { pod in
  repeat {
    if isOn { continue }
    return pod.resolve(inRepeatContinuedBack)
  } while isOn
  return Thing()
}
let inRepeatContinuedBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inRepeatContinued)) }

// finding: warning: inLabeled → inLabeledBack → inLabeled may be a dependency cycle. Break it with lazy or factory. [cycle]
let inLabeled: Provider<Thing> = Provider { pod in
  done: do {
    for _ in 0..<1 where isOn { break done }
    return pod.resolve(inLabeledBack)
  }
  return Thing()
}
let inLabeledBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inLabeled)) }

// finding: warning: inLazy → inLazyBack → inLazy may be a dependency cycle. Break it with lazy or factory. [cycle]
let inLazy: Provider<Thing> = Provider { pod in
  lazy var thing = pod.resolve(inLazyBack)
  return Thing()
}
let inLazyBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inLazy)) }

// finding: warning: inLazyClosure → inLazyClosureBack → inLazyClosure may be a dependency cycle. Break it with lazy or factory. [cycle]
let inLazyClosure: Provider<Thing> = Provider { pod in
  lazy var thing: Thing = {
    Thing(pod.resolve(inLazyClosureBack))
  }()
  return Thing()
}
let inLazyClosureBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(inLazyClosure)) }

// finding: warning: afterTwoTries → afterTwoTriesBack → afterTwoTries may be a dependency cycle. Break it with lazy or factory. [cycle]
let afterTwoTries: ThrowingProvider<Thing> = ThrowingProvider { pod in
  let number = try pod.resolve(configuration)
  return Thing(number, try takeChecked(Thing()), try pod.resolve(afterTwoTriesBack))
}
let afterTwoTriesBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterTwoTries)) }

// finding: warning: besideValue → besideValueBack → besideValue may be a dependency cycle. Break it with lazy or factory. [cycle]
let besideValue: ThrowingProvider<Int> = ThrowingProvider { pod in
  try (Machine().number ?? 0) + pod.resolve(besideValueBack)
}
let besideValueBack: ThrowingProvider<Int> = ThrowingProvider { pod in try pod.resolve(besideValue) }

// finding: warning: besideClosure → besideClosureBack → besideClosure may be a dependency cycle. Break it with lazy or factory. [cycle]
let besideClosure: ThrowingProvider<Int> = ThrowingProvider { pod in
  let count: (Int) throws -> Int = { $0 }
  return try count(1) + pod.resolve(besideClosureBack)
}
let besideClosureBack: ThrowingProvider<Int> = ThrowingProvider { pod in try pod.resolve(besideClosure) }

// Code that reaches the resolve in every build.

// finding: error: afterConfiguration → afterConfigurationBack → afterConfiguration is a dependency cycle. Break it with lazy or factory. [cycle]
let afterConfiguration: ThrowingProvider<Thing> = ThrowingProvider { pod in
  let number = try pod.resolve(configuration)
  return Thing(number, try pod.resolve(afterConfigurationBack))
}
let afterConfigurationBack: ThrowingProvider<Thing> = ThrowingProvider { pod in
  Thing(try pod.resolve(afterConfiguration))
}

// finding: error: asArgument → asArgumentBack → asArgument is a dependency cycle. Break it with lazy or factory. [cycle]
let asArgument: ThrowingProvider<Thing> = ThrowingProvider { pod in
  try takeChecked(pod.resolve(asArgumentBack))
}
let asArgumentBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(asArgument)) }

// finding: error: afterOptionalTry → afterOptionalTryBack → afterOptionalTry is a dependency cycle. Break it with lazy or factory. [cycle]
let afterOptionalTry: ThrowingProvider<Thing> = ThrowingProvider { pod in
  let number = try? pod.resolve(configuration)
  try? check()
  return Thing(number as Any, try pod.resolve(afterOptionalTryBack))
}
let afterOptionalTryBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterOptionalTry)) }

// finding: error: besideOptionalTry → besideOptionalTryBack → besideOptionalTry is a dependency cycle. Break it with lazy or factory. [cycle]
let besideOptionalTry: Provider<Thing> = Provider { pod in
  take(try? takeChecked(Thing()), pod.resolve(besideOptionalTryBack))
}
let besideOptionalTryBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(besideOptionalTry)) }

// finding: error: asOptionalTry → asOptionalTryBack → asOptionalTry is a dependency cycle. Break it with lazy or factory. [cycle]
let asOptionalTry: Provider<Thing> = Provider { pod in
  let thing = try? takeChecked(pod.resolve(asOptionalTryBack))
  return thing ?? Thing()
}
let asOptionalTryBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(asOptionalTry)) }

// finding: error: afterCaught → afterCaughtBack → afterCaught is a dependency cycle. Break it with lazy or factory. [cycle]
let afterCaught: ThrowingProvider<Thing> = ThrowingProvider { pod in
  do { try check() } catch { print(error) }
  return try pod.resolve(afterCaughtBack)
}
let afterCaughtBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterCaught)) }

// finding: error: afterInnerTry → afterInnerTryBack → afterInnerTry is a dependency cycle. Break it with lazy or factory. [cycle]
let afterInnerTry: ThrowingProvider<Thing> = ThrowingProvider { pod in
  let later: () throws -> Void = { try check() }
  return Thing(later, try pod.resolve(afterInnerTryBack))
}
let afterInnerTryBack: ThrowingProvider<Thing> = ThrowingProvider { pod in Thing(try pod.resolve(afterInnerTry)) }

// finding: error: afterChain → afterChainBack → afterChain is a dependency cycle. Break it with lazy or factory. [cycle]
let afterChain: Provider<Thing> = Provider { pod in
  let machine: Machine? = nil
  let other: Thing? = machine?.take(Thing())
  return take(other, machine?.take(Thing()), isOn ? 1 : 2, pod.resolve(afterChainBack))
}
let afterChainBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(afterChain)) }

// finding: error: asOptional → asOptionalBack → asOptional is a dependency cycle. Break it with lazy or factory. [cycle]
let asOptional: Provider<Thing> = Provider { pod in
  let thing: Thing? = pod.resolve(asOptionalBack)
  return thing ?? Thing()
}
let asOptionalBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(asOptional)) }

// finding: error: asCondition → asConditionBack → asCondition is a dependency cycle. Break it with lazy or factory. [cycle]
let asCondition: Provider<Thing> = Provider { pod in
  if pod.resolve(asConditionBack) === Thing(), isOn { print() }
  return Thing()
}
let asConditionBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(asCondition)) }

// finding: error: afterSwitch → afterSwitchBack → afterSwitch is a dependency cycle. Break it with lazy or factory. [cycle]
let afterSwitch: Provider<Thing> = Provider { pod in
  repeat {
    switch isOn {
    case true: break
    case false: print()
    }
    for _ in 0..<2 where isOn { continue }
    return pod.resolve(afterSwitchBack)
  } while isOn
}
let afterSwitchBack: Provider<Thing> = Provider { pod in Thing(pod.resolve(afterSwitch)) }
