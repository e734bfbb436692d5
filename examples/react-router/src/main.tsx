import { PorticoProvider } from 'portico/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { SignedInRoutes } from './guards.tsx';
import { HomePage, Layout, LoginPage, ReportsPage } from './pages.tsx';
import { client } from './settings.ts';

const router = createBrowserRouter([
  {
    element: <Layout />,
    children: [
      { path: '/login', element: <LoginPage /> },
      {
        element: <SignedInRoutes />,
        children: [
          { path: '/', element: <HomePage /> },
          { path: '/reports', element: <ReportsPage /> },
        ],
      },
    ],
  },
]);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');
createRoot(root).render(
  <StrictMode>
    <PorticoProvider client={client}>
      <RouterProvider router={router} />
    </PorticoProvider>
  </StrictMode>,
);
