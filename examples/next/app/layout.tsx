import { Suspense, type ReactNode } from 'react';
import Link from 'next/link';
import type { InitialState } from 'portico/react';
import type { Authentication } from 'portico/server';
import { auth } from '../lib/auth';
import { Providers } from './providers';
import { SignOut } from './sign-out';
import './globals.css';
import './sample.css';

export const metadata = { title: 'Portico and Next' };

/** What is outside of Suspense is the same for everybody, and prerendered; what is inside depends on the request. */
export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Home</Link> <Link href="/account">Account</Link> <Link href="/admin">Administration</Link>
        </nav>
        <Suspense>
          <WithSession>{children}</WithSession>
        </Suspense>
      </body>
    </html>
  );
}

/** Passes the signed-in user to the client components below. `fresh` calls the provider, which returns the user's name. */
async function WithSession({ children }: { readonly children: ReactNode }) {
  return (
    <Providers initial={initialOf(await auth({ fresh: true }))}>
      {children}
      <SignOut />
    </Providers>
  );
}

/** Null when nobody is signed in; undefined when the provider is unavailable, so that the page checks the session itself. */
function initialOf(who: Authentication): InitialState | null | undefined {
  if (who.status === 'unavailable') return undefined;
  return who.status === 'signed-in' ? { session: who.session, user: who.user } : null;
}
