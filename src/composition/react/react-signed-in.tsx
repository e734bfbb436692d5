import type { ReactNode } from 'react';
import { SDKUsageError } from '#domain/errors.ts';
import { unknownOption } from '#domain/widget/option-names.ts';
import { useSession, useUser } from './react-client.tsx';
import { usePropWarnings, type PropTable } from './react-props.ts';

interface Children {
  readonly children?: ReactNode;
}

const CHILDREN: PropTable<Children> = { children: [] };

/** Renders its children while there is a session. Renders nothing until the session is known, for example on a server. */
export function SignedIn(props: Children): ReactNode {
  usePropWarnings('SignedIn', props, CHILDREN);
  const { session, isInitialized } = useSession();
  return isInitialized && session !== null ? props.children : null;
}

/** Renders its children while there is no session. Renders nothing until that is known, so that they never flash for a signed-in user. */
export function SignedOut(props: Children): ReactNode {
  usePropWarnings('SignedOut', props, CHILDREN);
  const { session, isInitialized } = useSession();
  return isInitialized && session === null ? props.children : null;
}

interface RequireRoleProps extends Children {
  /** The role, or several roles, one of which is enough. */
  readonly role: string | readonly string[];
  /** Shown to everyone else, once the session is known. */
  readonly fallback?: ReactNode;
}

const REQUIRE_ROLE: PropTable<RequireRoleProps> = { role: [], fallback: [], children: [] };

const areTexts = (values: unknown): values is readonly string[] =>
  Array.isArray(values) && values.every((value) => typeof value === 'string');

/**
 * Renders its children for users with the role. It only controls the rendering. The server decides what is allowed. Throws an SDKUsageError
 * for anything but a role.
 */
export function RequireRole(props: RequireRoleProps): ReactNode {
  const { role, fallback = null, children } = props;
  const { user, isInitialized } = useUser();
  usePropWarnings('RequireRole', props, REQUIRE_ROLE);
  const roles = typeof role === 'string' ? [role] : role;
  if (!areTexts(roles)) {
    const misspelled = unknownOption(props, Object.keys(REQUIRE_ROLE));
    throw new SDKUsageError('<RequireRole>', misspelled ?? 'role must be a string or an array of strings');
  }
  if (!isInitialized) return null;
  return roles.some((one) => user?.roles?.includes(one)) ? children : fallback;
}
