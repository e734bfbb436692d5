import { requireAuth } from '../../lib/auth';

/** The page depends on the visitor, so a navigation waits for the server. */
export const instant = false;

/** To everybody else, this page is not there. */
export default async function AdminPage() {
  await requireAuth({ roles: ['admin'], fresh: true }, '/admin');
  return (
    <main>
      <h1>Administration</h1>
    </main>
  );
}
