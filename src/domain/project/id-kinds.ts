/** The kinds of ids that a project's developers mistake for each other, by their prefixes. */
const KINDS = {
  publicToken: [/^public-token-/u, 'a public token', 'the public token, which starts with "public-token-"'],
  secretId: [/^project-secret-/u, 'the id of a secret', ''],
  projectId: [/^project-(?:test|live)-/u, 'a project id', 'the project id, which starts with "project-"'],
  secret: [
    /^secret-(?:test|live)-/u,
    'a secret of the project',
    'a secret of the project, which starts with "secret-"',
  ],
} as const;

type IdKind = keyof typeof KINDS;

/** Null for an id of another kind; a server may have ids of its own. */
export function kindOfId(id: string): IdKind | null {
  return (Object.keys(KINDS) as IdKind[]).find((kind) => KINDS[kind][0].test(id)) ?? null;
}

/** What an option with an id of another kind needs; null where it has none. The id is not repeated: it may be a secret. */
export function mistakenId(option: 'publicToken' | 'projectId' | 'secret', id: string): string | null {
  const kind = kindOfId(id);
  return kind === null || kind === option ? null : `${option} is ${KINDS[kind][1]}: give it ${KINDS[option][2]}`;
}
