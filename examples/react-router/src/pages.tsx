import { defineLogin } from 'portico';
import { Login, RequireRole, UserButton, useSession, useUser } from 'portico/react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import type { CameFrom } from './guards.tsx';

const config = defineLogin({ products: ['otp'], otpOptions: { methods: ['email'] } });
const styles = { preset: 'modern' } as const;

export function Layout() {
  return (
    <>
      <header>
        <nav>
          <Link to="/">Home</Link> <Link to="/reports">Reports</Link>
        </nav>
        <UserButton />
      </header>
      <main style={{ padding: '1rem', overflowWrap: 'anywhere' }}>
        <Outlet />
      </main>
    </>
  );
}

export function HomePage() {
  const { user } = useUser();
  return <h1>Hello, {user?.emails[0]?.email}</h1>;
}

export function LoginPage() {
  const { session } = useSession();
  const { from } = (useLocation().state ?? {}) as CameFrom;
  return session === null ? <Login config={config} styles={styles} /> : <Navigate to={from ?? '/'} replace />;
}

/** The server with the reports checks the role, too: visitors can change the page. */
export function ReportsPage() {
  return (
    <RequireRole role="editor" fallback={<p>Only editors see the reports.</p>}>
      <h1>Reports</h1>
    </RequireRole>
  );
}
