import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import type { PorticoUIClient } from 'portico';
import { defineLogin } from 'portico';
import { Login, PorticoProvider } from 'portico/react';
import { useEffect, useState } from 'react';
import { clientOf } from '../portico';

export const Route = createFileRoute('/login')({ component: SignIn });

const root = getRouteApi('__root__');
const config = defineLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });
const styles = { preset: 'modern' } as const;

function SignIn() {
  const { settings } = root.useLoaderData();
  const [client, setClient] = useState<PorticoUIClient | null>(null);
  useEffect(() => void clientOf(settings).then(setClient), [settings]);
  // A sign-in loads the next page from the server.
  useEffect(() => client?.session.onChange((session) => session !== null && location.assign('/account')), [client]);
  // The server renders the form, and the client takes it over.
  return (
    <PorticoProvider client={client}>
      <Login config={config} styles={styles} prerender={{ inline: true }} />
    </PorticoProvider>
  );
}
