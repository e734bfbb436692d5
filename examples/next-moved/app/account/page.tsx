import { requireAuth } from '../../lib/auth';

/** Was: `cookies()`, `sessions.authenticateJwt` of the backend SDK, and a redirect. */
export default async function AccountPage() {
  const { user_id } = await requireAuth({ fresh: true }, '/account');
  return (
    <main>
      <h1>Your account</h1>
      <p>{user_id}</p>
      <a href="/">Home</a>
    </main>
  );
}
