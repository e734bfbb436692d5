import { useState, useSyncExternalStore } from 'react';
import { Button, SafeAreaView, Text, TextInput } from 'react-native';
import { createClient } from './client';
import { device } from './device';

const client = createClient(device, {
  publicToken: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  apiUrl: process.env.EXPO_PUBLIC_PORTICO_API_URL ?? 'http://localhost:4100',
  site: process.env.EXPO_PUBLIC_SITE ?? 'http://localhost:3000',
  allowHttp: __DEV__,
});

const subscribe = (onChange: () => void) => client.user.onChange(onChange);
const SESSION = { session_duration_minutes: 60 * 24 * 30 };

export function App() {
  const user = useSyncExternalStore(subscribe, () => client.user.getSync());
  return (
    <SafeAreaView>
      {user === null ? <Login /> : <Text>Hello, {user.emails[0]?.email}</Text>}
      {user !== null && <Button title="Sign out" onPress={() => void client.session.revoke({ forceClear: true })} />}
    </SafeAreaView>
  );
}

function Login() {
  const [email, setEmail] = useState('');
  const [methodId, setMethodId] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const run = (call: () => Promise<unknown>) => {
    setProblem('');
    call().catch((error: Error) => setProblem(error.message));
  };
  const send = async () => setMethodId((await client.otps.email.loginOrCreate(email)).method_id);
  const check = async () => client.otps.authenticate(code, methodId, SESSION);
  return (
    <>
      <TextInput placeholder="Email" inputMode="email" autoCapitalize="none" value={email} onChangeText={setEmail} />
      <Button title="Send a code" onPress={() => run(send)} />
      {methodId !== '' && (
        <>
          <TextInput
            placeholder="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChangeText={setCode}
          />
          <Button title="Sign in" onPress={() => run(check)} />
        </>
      )}
      <Text accessibilityRole="alert">{problem}</Text>
    </>
  );
}
