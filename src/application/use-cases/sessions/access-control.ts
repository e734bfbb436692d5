import { AccessPolicy, allPermissions } from '#domain/sessions/rbac.ts';
import type { Bootstrap } from '#domain/project/bootstrap.ts';
import { checkArguments } from '#domain/shape.ts';
import type { LogPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { Project } from '../project/project.ts';

const SHAPE = { resource: 'string', action: 'string' } as const;

const NOBODY: readonly string[] = [];

/** Whether each action of each resource is allowed, typed by the host's resources and actions. */
export type PermissionsMap<Permissions extends Record<string, string>> = {
  [Resource in keyof Permissions]: Record<Permissions[Resource], boolean>;
};

/**
 * `client.rbac`: the permissions of the signed-in user's roles by the project's policy (specification, section 6). Use it to decide
 * what to show; the server decides what is allowed.
 */
export class AccessControl {
  private indexed: { readonly source: Bootstrap['rbacPolicy']; readonly policy: AccessPolicy } | null = null;
  private complained = false;

  constructor(
    private readonly project: Project,
    private readonly sessions: SessionStore,
    private readonly log: LogPort,
  ) {}

  /** Answers from the policy that is stored in this browser, without a request. */
  isAuthorizedSync(resource: string, action: string): boolean {
    checkArguments('rbac.isAuthorizedSync', SHAPE, { resource, action });
    return this.policy(this.project.lastKnown()).isAuthorized(this.roles(), resource, action);
  }

  async isAuthorized(resource: string, action: string): Promise<boolean> {
    checkArguments('rbac.isAuthorized', SHAPE, { resource, action });
    return this.policy(await this.project.bootstrap()).isAuthorized(this.roles(), resource, action);
  }

  /**
   * Every action of every resource of the policy: `{ [resource]: { [action]: boolean } }`. Name the
   * policy's types to have the result typed: `allPermissions<{ documents: 'read' | 'write' }>()`.
   */
  async allPermissions<Permissions extends Record<string, string> = Record<string, string>>(): Promise<
    PermissionsMap<Permissions>
  > {
    const bootstrap = await this.project.bootstrap();
    const all = allPermissions(bootstrap.rbacPolicy, this.policy(bootstrap), this.roles());
    return all as PermissionsMap<Permissions>;
  }

  private policy({ rbacPolicy }: Bootstrap): AccessPolicy {
    if (rbacPolicy === null && !this.complained) {
      this.complained = true;
      this.log.error('The RBAC policy could not be loaded; no permissions are assumed.');
    }
    if (this.indexed === null || this.indexed.source !== rbacPolicy) {
      this.indexed = { source: rbacPolicy, policy: new AccessPolicy(rbacPolicy) };
    }
    return this.indexed.policy;
  }

  private roles(): readonly string[] {
    const roles: unknown = this.sessions.state().user?.roles;
    return Array.isArray(roles) ? (roles as readonly string[]) : NOBODY;
  }
}
