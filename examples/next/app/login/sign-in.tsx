'use client';
import { defineLogin } from 'portico';
import { Login, useSession } from 'portico/react';
import { useEffect } from 'react';

const config = defineLogin({
  products: ['otp'],
  otpOptions: { methods: ['email'], expirationMinutes: 10 },
  sessionOptions: { sessionDurationMinutes: 60 },
});
const styles = { preset: 'modern' } as const;

/** The widget. A sign-in loads the page anew: the router has kept what the server answered before it. */
export function SignIn({ returnTo }: { readonly returnTo: string }) {
  const { session } = useSession();
  const isIn = session !== null;
  useEffect(() => {
    if (isIn) window.location.replace(returnTo);
  }, [isIn, returnTo]);
  return isIn ? null : <Login config={config} styles={styles} prerender />;
}
