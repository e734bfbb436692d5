import { redirect } from 'next/navigation';
import { safeReturnPath } from 'portico/server/next';
import { auth } from '../../lib/auth';
import { SignIn } from './sign-in';

/** The page depends on the visitor, so a navigation waits for the server. */
export const instant = false;

interface Props {
  readonly searchParams: Promise<{ readonly return_to?: string | string[] }>;
}

export default async function LoginPage({ searchParams }: Props) {
  // Anybody can write an address into a link: only a path of this app is followed.
  const returnTo = safeReturnPath((await searchParams).return_to);
  if ((await auth({ fresh: true })).status === 'signed-in') redirect(returnTo);
  return (
    <main>
      <SignIn returnTo={returnTo} />
    </main>
  );
}
