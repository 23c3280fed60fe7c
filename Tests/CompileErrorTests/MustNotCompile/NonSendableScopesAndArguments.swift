// Scopes and arguments are keys of what threads share.
// modes: 6
// error: of 'Sendable'-conforming struct 'TaggedScope' has non-Sendable type 'Tag'
// error: type 'Tag' does not conform to the 'Sendable' protocol
import Peapod

final class Tag: Hashable {
  var text = ""
  static func == (left: Tag, right: Tag) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct TaggedScope: ProviderScope {
  let tag: Tag  // here
}

let family = Provider.family { (_, tag: Tag) in tag.text }  // here
let freshFamily = Provider.family(scope: .alwaysCreateNew) { (_, tag: Tag) in tag.text }  // here
let throwingFamily = ThrowingProvider.family { (_, tag: Tag) in tag.text }  // here
let asyncFamily = AsyncProvider.family { (_, tag: Tag) in tag.text }  // here
let mainActorFamily = MainActorProvider.family { (_, tag: Tag) in tag.text }  // here
