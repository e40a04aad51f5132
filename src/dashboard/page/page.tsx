// Starts the page of the dashboard: connects to the server and draws the page.
import { render } from 'preact';
import { DashboardLink } from './connection/dashboard-link.ts';
import { enterByNewLinks } from './connection/enter.ts';
import { Dashboard } from './dashboard.tsx';

enterByNewLinks();
const place = document.getElementById('page');
if (place !== null) render(<Dashboard link={new DashboardLink()} />, place);
