import HTTPTypes
import Hummingbird

/// Everything about notes.
enum NoteRoutes {
  static func add(to group: RouterGroup<NotesContext>) {
    group.get("notes") { request, context in
      try await context.services.notes.list(NoteQuery(request)).json()
    }
    group.post("notes") { request, context in
      let draft: NoteDraft = try await request.json(context)
      let note = try await context.services.notes.create(draft)
      context.logger.debug("note created", metadata: ["note": "\(note.id)"])
      return try note.json(.created, headers: note.headers + [.location: "/notes/\(note.id)"])
    }
    group.get("notes/:id") { request, context in
      let note = try await context.services.notes.find(context.parameters.require("id"))
      if try request.condition(.ifNoneMatch)?.weaklyMatches(note.entityTag) == true {
        return Response(status: .notModified, headers: note.headers)
      }
      return try note.json(headers: note.headers)
    }
    group.put("notes/:id") { request, context in
      let draft: NoteDraft = try await request.json(context)
      let note = try await context.services.notes.update(
        context.parameters.require("id"), to: draft, if: request.condition(.ifMatch))
      return try note.json(headers: note.headers)
    }
    group.delete("notes/:id") { request, context in
      try await context.services.notes.delete(context.parameters.require("id"), if: request.condition(.ifMatch))
      return Response(status: .noContent)
    }
  }
}

extension Note {
  fileprivate var headers: HTTPFields { [.eTag: entityTag.description, .cacheControl: "private, no-cache"] }
}

extension Request {
  fileprivate func condition(_ name: HTTPField.Name) throws -> EntityTagCondition? {
    guard let header = headers[name] else { return nil }
    guard let condition = EntityTagCondition(header) else {
      throw HTTPError(.badRequest, message: "\(name) must be * or a list of entity tags such as \"1\".")
    }
    return condition
  }
}

private func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
  var fields = left
  fields.append(contentsOf: right)
  return fields
}
