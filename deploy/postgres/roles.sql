-- The roles that services work as, and a login for each: deploy/runbooks/database-roles.md.
-- Run by an administrator with psql, once per cluster. It may be run again; it changes no password
-- that is there. Passwords are given afterwards, by \password or by a secret store.

\set ON_ERROR_STOP on

-- Group roles: nobody logs in as one. `rollforward migrate` grants them what they need.
SELECT format('CREATE ROLE %I NOLOGIN', 'rollforward_' || service)
FROM unnest(ARRAY['table', 'director', 'wallet', 'dealer', 'ranking']) AS services (service)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rollforward_' || service)
\gexec

-- Logins: each may become its service's role, and has no right of its own.
SELECT format('CREATE ROLE %I LOGIN', service || '_service')
FROM unnest(ARRAY['table', 'director', 'wallet', 'dealer', 'ranking']) AS services (service)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service || '_service')
\gexec
SELECT format(
  'GRANT %I TO %I WITH INHERIT FALSE, SET TRUE', 'rollforward_' || service, service || '_service'
)
FROM unnest(ARRAY['table', 'director', 'wallet', 'dealer', 'ranking']) AS services (service)
\gexec

-- Who migrates owns schemas and tables, and is none of the above.
SELECT 'CREATE ROLE rollforward_migrator LOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rollforward_migrator')
\gexec
SELECT format('GRANT CREATE ON DATABASE %I TO rollforward_migrator', current_database())
\gexec
