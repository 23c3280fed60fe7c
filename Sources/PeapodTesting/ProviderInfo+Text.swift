import Peapod

extension ProviderInfo {
  /// The provider's name with its type, or the type alone where it has no name of its own.
  var label: String {
    // A family member without a name of its own is called by its type and arguments: `User(3)`.
    name == valueType || name.hasPrefix(valueType + "(") ? name : "\(name): \(valueType)"
  }

  /// The label with the place of declaration.
  var labelAndPlace: String {
    "\(label) (\(fileID):\(line))"
  }
}
