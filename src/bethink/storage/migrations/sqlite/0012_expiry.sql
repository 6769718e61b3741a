-- For how long a session's items are kept: when the first of a scope's items may be overdue (microseconds).

alter table scopes add column due_at bigint;
create index scopes_by_due on scopes (tenant_id, due_at) where due_at is not null;
