import { basicCredentials } from '#provider/base/http/request.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** The data by which a project is found. */
interface Entry {
  /** The project file, for messages. */
  readonly file: string;
  readonly host: string | null;
  readonly tokens: readonly string[];
  /** Where the database is. */
  readonly database: string;
}

/** The parts of a request that identify its project. */
export interface RequestNames {
  /** The host name without the port, in lower case. */
  readonly host: string;
  /** The path and the query. */
  readonly target: string;
  readonly authorization: string | undefined;
}

/** The projects by their hosts and tokens. */
export class Directory<P extends Entry> {
  private readonly hosts = new Map<string, P>();
  private readonly tokens = new Map<string, P>();
  private readonly databases = new Map<string, P>();

  constructor(projects: Iterable<P> = []) {
    for (const project of projects) this.add(project);
  }

  /** Throws a UsageError that names both files if another project has the same host, token or database. */
  add(project: P): void {
    const { host, tokens, file, database } = project;
    const other = host === null ? undefined : this.hosts.get(host);
    if (other !== undefined)
      throw new UsageError(`${other.file} and ${file} have the same host in issuer: ${host ?? ''}.`);
    const sharing = tokens.map((token) => this.tokens.get(token)).find((found) => found !== undefined);
    if (sharing !== undefined) {
      throw new UsageError(`${sharing.file} and ${file} have the same public_token or project_id.`);
    }
    const beside = this.databases.get(database);
    // The rows of a database do not name a project, so the sessions and keys of one would be valid in the other.
    if (beside !== undefined) throw new UsageError(`${beside.file} and ${file} have the same database.`);
    this.databases.set(database, project);
    if (host !== null) this.hosts.set(host, project);
    for (const token of tokens) this.tokens.set(token, project);
  }

  /**
   * The project at the host of the request. If no project has that host, the one whose public token or project id is in the request: in
   * `Authorization: Basic`, as `public_token` in the query, or as a part of the path. The host comes first, so that a page of one project
   * cannot reach another one. The project's own server checks the token.
   */
  find({ host, target, authorization }: RequestNames): P | null {
    const [path = '', query = ''] = target.split('?', 2);
    const names = [
      basicCredentials(authorization)?.user,
      new URLSearchParams(query).get('public_token') ?? undefined,
      ...path.split('/'),
    ];
    return this.hosts.get(host) ?? names.map((name) => this.tokens.get(name ?? '')).find(Boolean) ?? null;
  }
}
