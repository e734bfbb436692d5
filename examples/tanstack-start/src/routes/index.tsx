import { createFileRoute, getRouteApi, Link, useHydrated } from '@tanstack/react-router';
import { clientOf } from '../portico';

export const Route = createFileRoute('/')({ component: Home });

const root = getRouteApi('__root__');

function Home() {
  const { email, settings } = root.useLoaderData();
  const isHydrated = useHydrated();
  async function signOut() {
    const client = await clientOf(settings);
    await client.session.revoke();
    location.assign('/');
  }
  if (email === null) {
    return (
      <>
        <h1>Hello</h1>
        <Link to="/login">Sign in</Link>
      </>
    );
  }
  return (
    <>
      <h1>Hello, {email}</h1>
      <Link to="/account">Account</Link>
      <button type="button" disabled={!isHydrated} onClick={() => void signOut()}>
        Sign out
      </button>
    </>
  );
}
