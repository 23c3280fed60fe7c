/// The identity of the running task, for as long as the task exists.
///
/// The identity is the hash of the task, which the standard library computes from the address of the task. Two tasks that exist at
/// the same time have different addresses. They hardly ever have the same hash, which has as many bits as an address, and a random
/// key in each process. The number that the runtime gives to each task has no public accessor, and an `UnsafeCurrentTask` must not be
/// stored.
///
/// When a task has ended, a new task may get its address. If the new task falls asleep, a set of tasks at work loses the ended task.
/// The ended task does no more work, and no other task leaves the set.
struct TaskIdentity: Hashable {
  /// The hash, or `nil` outside a task.
  ///
  /// Code that sleeps is in a task.
  private let hash: Int?

  /// The identity of the task that runs this code.
  static var current: TaskIdentity { TaskIdentity(hash: withUnsafeCurrentTask { $0?.hashValue }) }
}
