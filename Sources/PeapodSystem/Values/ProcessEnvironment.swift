import Foundation

/// The environment variables of a process, as they were at one moment.
///
/// ```swift
/// let home = pod.resolve(.environment)["HOME"]
/// pod.overrideProvider(.environment, withValue: ProcessEnvironment(["HOME": "/root"]))
/// ```
public struct ProcessEnvironment: Hashable, Sendable {
  /// The values of all variables, by name.
  public let variables: [String: String]

  /// Creates an environment from names and values.
  ///
  /// - Parameter variables: The values by name.
  public init(_ variables: [String: String]) { self.variables = variables }

  /// The value of a variable, or `nil` where there is no such variable.
  ///
  /// - Parameter name: The variable's name.
  public subscript(name: String) -> String? { variables[name] }
}

extension ProcessEnvironment {
  /// The environment of this process at the moment of the access.
  public static var system: ProcessEnvironment { ProcessEnvironment(ProcessInfo.processInfo.environment) }
}
