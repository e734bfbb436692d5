import type { ReactNode } from 'react';
import { useSession, useUser } from './react-client.tsx';

interface Children {
  readonly children?: ReactNode;
}

/** Its children, while somebody is signed in. Nothing until the session is known, as on a server. */
export function SignedIn({ children }: Children): ReactNode {
  const { session, isInitialized } = useSession();
  return isInitialized && session !== null ? children : null;
}

/** Its children, while nobody is signed in. Nothing until that is known, so that a signed-in user never sees them flash. */
export function SignedOut({ children }: Children): ReactNode {
  const { session, isInitialized } = useSession();
  return isInitialized && session === null ? children : null;
}

interface RequireRoleProps extends Children {
  /** The role, or several of which one is enough. */
  readonly role: string | readonly string[];
  /** Shown to everybody else, once it is known who is signed in. */
  readonly fallback?: ReactNode;
}

/** Its children, for users with the role. This decides what is shown; what is allowed is for the server to decide. */
export function RequireRole({ role, fallback = null, children }: RequireRoleProps): ReactNode {
  const { user, isInitialized } = useUser();
  if (!isInitialized) return null;
  const roles = typeof role === 'string' ? [role] : role;
  return roles.some((one) => user?.roles?.includes(one)) ? children : fallback;
}
