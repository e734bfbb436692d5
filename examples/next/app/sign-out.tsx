'use client';
import { SignOutButton, useUser } from 'portico/react';

/** Who is signed in, in the first HTML too, and a button that ends the session. */
export function SignOut() {
  const { user } = useUser();
  if (user === null) return null;
  return (
    <footer>
      Signed in as {user.emails[0]?.email}. <SignOutButton onSignedOut={() => window.location.assign('/')} />
    </footer>
  );
}
