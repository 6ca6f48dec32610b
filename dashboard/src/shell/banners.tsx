import { useEffect, useState } from "preact/hooks";
import { at } from "../core/address.ts";
import { isOpenToOthers } from "../core/base.ts";
import { session } from "../core/session.ts";
import { Button } from "../forms/button.tsx";

/** Set by the service in a page that was built after it began. */
const isNewer = "newer" in document.documentElement.dataset;

/** What concerns every screen: no network, no encryption, no way to sign in from elsewhere. */
export function Banners() {
  const [isOffline, setOffline] = useState(!navigator.onLine);
  const [isHidden, setHidden] = useState(sessionStorage.getItem("tapewire.no-password") === "hidden");
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  const person = session.value?.person;
  const needsPassword = person !== null && person !== undefined && !person.has_password && !isHidden;
  return (
    <div class="banners">
      {isOffline && (
        <div class="banner wrong" role="status">
          Offline. The feed resumes where it stopped.
        </div>
      )}
      {isNewer && (
        <div class="banner wrong" role="status">
          This page is newer than the service. Restart the service.
        </div>
      )}
      {isOpenToOthers && (
        <div class="banner wrong" role="status">
          This page is not encrypted: others can read your keys on the way. Put a proxy with TLS in front.
        </div>
      )}
      {needsPassword && (
        <div class="banner" role="status">
          <span class="grow">
            You came by a link. <a href={at("account")}>Set a password</a> to sign in from elsewhere.
          </span>
          <Button
            look="plain"
            run={() => {
              sessionStorage.setItem("tapewire.no-password", "hidden");
              setHidden(true);
            }}
          >
            Hide
          </Button>
        </div>
      )}
    </div>
  );
}
