import Peapod

extension ProviderInfo {
  /// The provider's name with its value type, or the value type alone if the provider has no name of its own.
  var label: String {
    // The name of a family member without a name of its own is its value type with the arguments: `User(3)`.
    name == valueType || name.hasPrefix(valueType + "(") ? name : "\(name): \(valueType)"
  }

  /// The label with the place of declaration.
  var labelAndPlace: String {
    "\(label) (\(fileID):\(line))"
  }
}
