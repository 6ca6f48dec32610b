/** The sign of Tapewire. */
export const Sign = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M2 8h16M2 16h28M2 24h11" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
    <circle cx="26" cy="8" r="3.6" fill="var(--edge)" />
  </svg>
);
