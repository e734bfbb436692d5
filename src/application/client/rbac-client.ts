import type { AccessControl } from '../use-cases/access-control.ts';
import { checkArguments } from './arguments.ts';

const SHAPE = { resource: 'string', action: 'string' } as const;

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

  /** Every action of every resource of the policy: `{ [resource]: { [action]: boolean } }`. */
  async allPermissions() {
    return this.access.allPermissions();
  }
}
