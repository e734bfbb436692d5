import { useSession } from 'portico/react';
import { Navigate, Outlet, useLocation, type Location } from 'react-router';

/** Where the sign-in page leads back to. It comes from the router's own state, which no link can write. */
export interface CameFrom {
  readonly from?: Location;
}

/** The routes below it are for signed-in people. It renders nothing until the session is known, to avoid a wrong redirect. */
export function SignedInRoutes() {
  const { session, isInitialized } = useSession();
  const location = useLocation();
  if (!isInitialized) return null;
  if (session === null) return <Navigate to="/login" replace state={{ from: location } satisfies CameFrom} />;
  return <Outlet />;
}
