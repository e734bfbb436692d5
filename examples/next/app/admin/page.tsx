import { requireAuth } from '../../lib/auth.ts';

/** To everybody else, this page is not there. */
export default async function AdminPage() {
  await requireAuth({ roles: ['admin'], fresh: true }, '/admin');
  return (
    <main>
      <h1>Administration</h1>
    </main>
  );
}
