import { useSession } from 'portico/react';
import { Navigate, Outlet, useLocation, type Location } from 'react-router';

/** Where the sign-in page leads back to. It comes from the router's own state, which no link can write. */
export interface CameFrom {
  readonly from?: Location;
}

/** The routes below it are for signed-in people. Nothing is shown until the session is known, so that nobody is sent away too early. */
export function SignedInRoutes() {
  const { session, isInitialized } = useSession();
  const location = useLocation();
  if (!isInitialized) return null;
  if (session === null) return <Navigate to="/login" replace state={{ from: location } satisfies CameFrom} />;
  return <Outlet />;
}
