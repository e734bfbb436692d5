import type { ReactNode } from 'react';
import { useSession, useUser } from './react-client.tsx';

interface Children {
  readonly children?: ReactNode;
}

/** Its children, while there is a session. Nothing until the session is known, as on a server. */
export function SignedIn({ children }: Children): ReactNode {
  const { session, isInitialized } = useSession();
  return isInitialized && session !== null ? children : null;
}

/** Its children, while there is no session. Nothing until that is known, so that they never flash for a signed-in user. */
export function SignedOut({ children }: Children): ReactNode {
  const { session, isInitialized } = useSession();
  return isInitialized && session === null ? children : null;
}

interface RequireRoleProps extends Children {
  /** The role, or several of which one is enough. */
  readonly role: string | readonly string[];
  /** Shown to everyone else, once the session is known. */
  readonly fallback?: ReactNode;
}

/** Its children, for users with the role. It only controls the rendering. The server decides what is allowed. */
export function RequireRole({ role, fallback = null, children }: RequireRoleProps): ReactNode {
  const { user, isInitialized } = useUser();
  if (!isInitialized) return null;
  const roles = typeof role === 'string' ? [role] : role;
  return roles.some((one) => user?.roles?.includes(one)) ? children : fallback;
}
