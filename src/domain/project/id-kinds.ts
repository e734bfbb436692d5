/** The kinds of ids that developers confuse, by their prefixes. */
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

/** The kind of an id; null for others, because a server may have its own kinds. */
export function kindOfId(id: string): IdKind | null {
  return (Object.keys(KINDS) as IdKind[]).find((kind) => KINDS[kind][0].test(id)) ?? null;
}

/** The error for an option with the wrong kind of id, or null. It does not repeat the id, which may be a secret. */
export function mistakenId(option: 'publicToken' | 'projectId' | 'secret', id: string): string | null {
  const kind = kindOfId(id);
  return kind === null || kind === option ? null : `${option} is ${KINDS[kind][1]}: give it ${KINDS[option][2]}`;
}
