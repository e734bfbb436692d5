import { AccessPolicy } from '../../domain/rbac.ts';
import type { Bootstrap } from '../../domain/bootstrap.ts';
import type { LogPort } from '../ports/index.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Project } from './project.ts';

const NOBODY: readonly string[] = [];

/** What the signed-in user's roles allow, by the project's policy (specification, section 6). */
export class AccessControl {
  private indexed: { readonly source: Bootstrap['rbacPolicy']; readonly policy: AccessPolicy } | null = null;
  private complained = false;

  constructor(
    private readonly project: Project,
    private readonly sessions: SessionStore,
    private readonly log: LogPort,
  ) {}

  /** By the policy that is known without asking the server. */
  isAuthorizedSync(resource: string, action: string): boolean {
    return this.policy(this.project.lastKnown()).isAuthorized(this.roles(), resource, action);
  }

  async isAuthorized(resource: string, action: string): Promise<boolean> {
    return this.policy(await this.project.bootstrap()).isAuthorized(this.roles(), resource, action);
  }

  async allPermissions(): Promise<Readonly<Record<string, Readonly<Record<string, boolean>>>>> {
    return this.policy(await this.project.bootstrap()).all(this.roles());
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
