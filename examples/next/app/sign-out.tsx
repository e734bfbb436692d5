'use client';
import { useClient, useUser } from 'portico/react';

/** Who is signed in, in the first HTML too, and a button that ends the session. */
export function SignOut() {
  const client = useClient();
  const { user } = useUser();
  const signOut = async () => {
    await client?.session.revoke();
    window.location.assign('/');
  };
  if (user === null) return null;
  return (
    <footer>
      Signed in as {user.emails[0]?.email}.{' '}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </footer>
  );
}
