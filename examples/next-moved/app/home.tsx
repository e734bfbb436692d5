'use client';
import { OTPMethods, Products, StytchLogin, useStytch, useStytchUser } from 'portico/compat';
import { Providers } from './providers';

const config = { products: [Products.otp], otpOptions: { methods: [OTPMethods.Email], expirationMinutes: 5 } };

export const Home = () => (
  <Providers>
    <SignInOrGreeting />
  </Providers>
);

function SignInOrGreeting() {
  const stytch = useStytch();
  const { user, isInitialized } = useStytchUser();
  if (!isInitialized) return null;
  if (user === null) return <StytchLogin config={config} />;
  return (
    <main>
      <h1>Hello, {user.emails[0]?.email}</h1>
      <a href="/account">Account</a>
      <button type="button" onClick={() => void stytch.session.revoke()}>
        Sign out
      </button>
    </main>
  );
}
