-- Two roles: the owner migrates and owns the tables, the server's role reads and writes rows and is held by
-- row-level security. Neither is a superuser.
create role bethink_owner login password 'change-me-owner';
create role bethink_app login password 'change-me-app';
create database bethink owner bethink_owner;
\connect bethink
create extension if not exists vector;
grant connect on database bethink to bethink_app;
