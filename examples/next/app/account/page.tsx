import { requireAuth } from '../../lib/auth';

/** The page depends on the visitor, so a navigation waits for the server. */
export const instant = false;

export default async function AccountPage() {
  const { session, roles } = await requireAuth({}, '/account');
  return (
    <main>
      <h1>Your account</h1>
      <p>Your session ends at {session.expires_at}.</p>
      <p>Your roles: {roles.join(', ') || 'none'}</p>
    </main>
  );
}
