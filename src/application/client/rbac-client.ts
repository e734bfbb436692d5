import type { AccessControl } from '../use-cases/access-control.ts';
import { checkArguments } from '../arguments.ts';

const SHAPE = { resource: 'string', action: 'string' } as const;

/** Whether each action of each resource is allowed, for the resources and actions that a host names. */
export type PermissionsMap<Permissions extends Record<string, string>> = {
  [Resource in keyof Permissions]: Record<Permissions[Resource], boolean>;
};

/** `client.rbac`: what to show. What to allow is the server's to decide. */
export class RBACClient {
  constructor(private readonly access: AccessControl) {}

  /** By the policy that this browser already knows. */
  isAuthorizedSync(resource: string, action: string): boolean {
    checkArguments('rbac.isAuthorizedSync', SHAPE, { resource, action });
    return this.access.isAuthorizedSync(resource, action);
  }

  async isAuthorized(resource: string, action: string): Promise<boolean> {
    checkArguments('rbac.isAuthorized', SHAPE, { resource, action });
    return this.access.isAuthorized(resource, action);
  }

  /**
   * Every action of every resource of the policy: `{ [resource]: { [action]: boolean } }`. Whoever knows the policy says
   * so: `allPermissions<{ documents: 'read' | 'write' }>()`.
   */
  async allPermissions<Permissions extends Record<string, string> = Record<string, string>>(): Promise<
    PermissionsMap<Permissions>
  > {
    return (await this.access.allPermissions()) as PermissionsMap<Permissions>;
  }
}
